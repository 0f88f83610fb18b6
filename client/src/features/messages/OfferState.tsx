import type { Offer } from "@/api/types";
import * as t from "@/texts/messages";
import { Badge, Countdown } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { isOpen } from "./endpoints";

/** The last price that was named, what has become of the offer, and until when it can be answered. */
export function OfferState({ offer, className }: { offer: Offer; className: string }): Elements {
  const { by, price, listPrice, status, expiresAt } = offer;
  return (
    <>
      <span className={className}>{(by === "buyer" ? t.offered : t.asks)(price, listPrice)}</span>
      <Badge>{t.status[status]}</Badge>
      {isOpen(offer) && <Countdown until={expiresAt} />}
    </>
  );
}
