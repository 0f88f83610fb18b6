import { Link } from "react-router-dom";
import type { Booking } from "@/api/types";
import { type ListView, rowsOf } from "@/api/useList";
import { money } from "@/lib/money";
import { Badge, buttonClass, Figure, Picture, Skeleton, TimeLeft, tintOf } from "@/ui";
import { Frame } from "./Frame";
import { buyerFigures, isOpen } from "./figures";
import { RowWords, Waiting } from "./Waiting";

/** What a buyer wants to know first: what is to be paid, and until when. */
export function BuyerOverview({ view }: { view: ListView<Booking> }) {
  const rows = rowsOf(view.list);
  const count = view.list && buyerFigures(rows);
  const soonest = (a: Booking, b: Booking) => Date.parse(a.holdUntil) - Date.parse(b.holdUntil);
  return (
    <Frame
      title="Your orders right now"
      views={[view]}
      action={
        <Link to="/categories" className={buttonClass({ size: "sm" })}>
          Find a phone
        </Link>
      }
      figures={
        <>
          <Figure
            label="To pay"
            value={count && `${count.toPay}`}
            note={count?.soonest ? <TimeLeft until={count.soonest} /> : "nothing waits"}
          />
          <Figure label="To pay in all" value={count && money(count.owed)} note="held for you" />
          <Figure label="Paid" value={count && `${count.paid}`} note="yours for good" />
          <Figure label="Spent" value={count && money(count.spent)} note="on what you paid" />
        </>
      }
    >
      {view.list ? (
        <Waiting
          title="Held for you"
          waiting={rows.filter(isOpen).sort(soonest)}
          all={view.list.entities}
          nothing="Nothing is held for you. Press Book Now on a phone and it waits here until you pay."
        >
          {(order) => <Order order={order} />}
        </Waiting>
      ) : (
        <Skeleton className="h-32" />
      )}
    </Frame>
  );
}

function Order({ order }: { order: Booking }) {
  return (
    <>
      <Picture src={order.img} alt="" tint={tintOf(order.id)} className="w-14 shrink-0 rounded-sm p-1" />
      <RowWords title={order.productName}>
        {money(order.price)}
        {isOpen(order) && (
          <>
            {" · "}
            <TimeLeft until={order.holdUntil} />
          </>
        )}
      </RowWords>
      {isOpen(order) ? (
        <Link
          to={`/dashboard/payment/${order._id}`}
          title={`Pay for ${order.productName}`}
          className={buttonClass({ size: "sm" })}
        >
          Pay
        </Link>
      ) : (
        <Badge tone={order.status === "paid" ? "ok" : "neutral"}>{ENDED[order.status]}</Badge>
      )}
    </>
  );
}

const ENDED: Record<Booking["status"], string> = {
  held: "Paid",
  paid: "Paid",
  expired: "Expired",
  cancelled: "Cancelled",
  refunded: "Refunded",
};
