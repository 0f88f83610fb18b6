import * as t from "@/texts/selling";
import { HowToGetVerified } from "./GetVerified";
import { useDisabledReason } from "./useDisabledReason";

/** The note above the table, which applies to all its buttons. It has the same height with each text. */
export function AdvertiseNote() {
  const reason = useDisabledReason();
  return (
    <div className="-mt-3 min-h-[2lh] text-muted sm:min-h-[1lh]">
      <span>{reason ?? t.advertiseNote}</span> {reason === t.getVerified && <HowToGetVerified />}
    </div>
  );
}
