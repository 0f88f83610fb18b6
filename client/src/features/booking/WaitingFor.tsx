import { useState } from "react";
import { Link } from "react-router-dom";
import type { Wait } from "@/api/types";
import { rowsOf } from "@/api/useList";
import { useOwnWaits } from "@/api/waitlist";
import { dollars } from "@/texts/money";
import * as t from "@/texts/waitlist";
import { Button, type Column, Countdown, ListTable, rowLinkClass, Thumbnail, useKeptFocus } from "@/ui";
import { LeaveDialog } from "./LeaveDialog";

/** The phones that the signed-in buyer waits for; nothing if there are none. */
export function WaitingFor() {
  const view = useOwnWaits();
  const [leaving, setLeaving] = useState<Wait | null>(null);
  const rows = rowsOf(view.list);
  const keptFocus = useKeptFocus<HTMLDivElement>();
  return (
    <>
      <div {...keptFocus} className="contents">
        {(rows.length > 0 || view.error) && (
          <section aria-labelledby="waits-title" className="grid gap-5">
            <h2 id="waits-title" tabIndex={-1} className="font-bold text-2xl">
              {t.waitingFor}
            </h2>
            <ListTable view={view} rows={rows} caption={t.waitingFor} columns={columns(setLeaving)} />
          </section>
        )}
      </div>
      {leaving && <LeaveDialog wait={leaving} onClose={() => setLeaving(null)} />}
    </>
  );
}

function columns(onLeave: (wait: Wait) => void): Column<Wait>[] {
  return [
    {
      header: t.image,
      cardSlot: "picture",
      width: "w-24",
      cell: (wait) => <Thumbnail product={wait} width="w-16" />,
    },
    {
      header: t.productName,
      cardSlot: "title",
      cell: ({ productID, productName }) => (
        <Link to={`/phone/${productID}`} className={rowLinkClass}>
          {productName}
        </Link>
      ),
    },
    {
      header: t.price,
      width: "w-28",
      cell: ({ price }) => <span className="font-semibold tabular-nums">{dollars(price)}</span>,
    },
    {
      header: t.placeHeader,
      width: "w-44",
      cell: ({ position, heldUntil }) => (
        <span className="grid">
          <span className="font-semibold">{t.place(position)}</span>
          <Countdown until={heldUntil} />
        </span>
      ),
    },
    {
      header: t.action,
      cardSlot: "action",
      width: "w-56",
      cell: (wait) => (
        <Button
          size="sm"
          variant="secondary"
          aria-label={t.leaveFor(wait.productName)}
          onClick={() => onLeave(wait)}
        >
          {t.leave}
        </Button>
      ),
    },
  ];
}
