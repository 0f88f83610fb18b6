import { Link } from "react-router-dom";
import { useLiveList } from "@/api/live";
import { usePhoneQuery } from "@/api/phone";
import type { Product } from "@/api/types";
import * as t from "@/texts/messages";
import { dollars } from "@/texts/money";
import { Badge, Countdown, Thumbnail } from "@/ui";

/** The phone as it is now; undefined while it is loaded and once it is removed. */
export function useLivePhone(id: string): Product | undefined {
  const { currentData } = usePhoneQuery({ id, signedIn: true }, { skip: id === "" });
  useLiveList(currentData);
  return currentData?.entities[id];
}

interface Props {
  /** What the conversation knows of the phone. */
  phone: { _id: string; name: string; img: string; resalePrice: number; removed?: boolean };
  live: Product | undefined;
}

/** The phone of a conversation: its photo, its price, and whether it can be booked; live. */
export function PhoneLine({ phone, live }: Props) {
  const { name, img, resalePrice } = live ?? phone;
  return (
    <div className="flex items-center gap-3">
      <Thumbnail product={{ img }} eager />
      <div className="grid min-w-0">
        <Link
          to={`/phone/${phone._id}`}
          className="truncate font-semibold underline-offset-4 hover:underline"
        >
          {name}
        </Link>
        <p className="flex flex-wrap items-center gap-x-2 text-sm">
          <span className="font-bold tabular-nums">{dollars(resalePrice)}</span>
          {(live || phone.removed) && <State live={live} />}
        </p>
      </div>
    </div>
  );
}

function State({ live }: Pick<Props, "live">) {
  if (!live) return <Badge>{t.removed}</Badge>;
  if (live.sold) return <Badge>{t.sold}</Badge>;
  if (!live.booked) return <Badge tone="ok">{t.available}</Badge>;
  return (
    <>
      <Badge tone="warn">{t.booked}</Badge>
      {live.heldUntil && <Countdown until={live.heldUntil} />}
    </>
  );
}
