import { Link } from "react-router-dom";
import type { Booking } from "@/api/types";
import { type ListView, rowsOf } from "@/api/useList";
import * as t from "@/texts/dashboard";
import { money, number } from "@/texts/language";
import { Badge, buttonClass, Countdown, Skeleton, StatCard, Thumbnail } from "@/ui";
import { OverviewFrame } from "./OverviewFrame";
import { buyerStats, isOpen } from "./stats";
import { TodoList, TodoText } from "./TodoList";

/** What a buyer wants to know first: what is to be paid, and until when. */
export function BuyerOverview({ view }: { view: ListView<Booking> }) {
  const rows = rowsOf(view.list);
  const count = view.list && buyerStats(rows);
  const soonest = (a: Booking, b: Booking) => Date.parse(a.holdUntil) - Date.parse(b.holdUntil);
  return (
    <OverviewFrame
      title={t.buyer}
      views={[view]}
      action={
        <Link to="/categories" className={buttonClass({ size: "sm" })}>
          {t.findPhone}
        </Link>
      }
      figures={
        <>
          <StatCard
            label={t.toPay}
            value={count && number(count.toPay)}
            note={count?.soonest ? <Countdown until={count.soonest} /> : t.toPayNone}
          />
          <StatCard label={t.owed} value={count && money(count.owed)} note={t.owedNote} />
          <StatCard label={t.paid} value={count && number(count.paid)} note={t.paidNote} />
          <StatCard label={t.spent} value={count && money(count.spent)} note={t.spentNote} />
        </>
      }
    >
      {view.list ? (
        <TodoList
          title={t.heldForYou}
          waiting={rows.filter(isOpen).sort(soonest)}
          all={view.list.entities}
          nothing={t.nothingHeld}
        >
          {(order) => <Order order={order} />}
        </TodoList>
      ) : (
        <Skeleton className="h-32" />
      )}
    </OverviewFrame>
  );
}

function Order({ order }: { order: Booking }) {
  return (
    <>
      <Thumbnail of={order} />
      <TodoText title={order.productName}>
        {money(order.price)}
        {isOpen(order) && (
          <>
            {" · "}
            <Countdown until={order.holdUntil} />
          </>
        )}
      </TodoText>
      {isOpen(order) ? (
        <Link
          to={`/dashboard/payment/${order._id}`}
          title={t.payFor(order.productName)}
          className={buttonClass({ size: "sm" })}
        >
          {t.pay}
        </Link>
      ) : (
        <Badge tone={order.status === "paid" ? "ok" : "neutral"}>{ENDED[order.status]}</Badge>
      )}
    </>
  );
}

const ENDED: Record<Booking["status"], string> = {
  held: t.paid,
  paid: t.paid,
  expired: t.expired,
  cancelled: t.cancelled,
  refunded: t.refunded,
};
