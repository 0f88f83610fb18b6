import { Link } from "react-router-dom";
import type { Booking } from "@/api/types";
import { type ListView, rowsOf } from "@/api/useList";
import * as t from "@/texts/dashboard";
import { number } from "@/texts/language";
import { dollars } from "@/texts/money";
import { Badge, buttonClass, Countdown, Skeleton, StatCard, Thumbnail } from "@/ui";
import { OverviewFrame } from "./OverviewFrame";
import { buyerStats, isOpen } from "./stats";
import { TodoList, TodoText } from "./TodoList";

/** The buyer's overview: the orders to pay, and until when. */
export function BuyerOverview({ view }: { view: ListView<Booking> }) {
  const rows = rowsOf(view.list);
  const stats = view.list && buyerStats(rows);
  const byDeadline = (a: Booking, b: Booking) => Date.parse(a.holdUntil) - Date.parse(b.holdUntil);
  return (
    <OverviewFrame
      title={t.buyer}
      views={[view]}
      action={
        <Link to="/categories" className={buttonClass({ size: "sm" })}>
          {t.findPhone}
        </Link>
      }
      stats={
        <>
          <StatCard
            label={t.toPay}
            value={stats && number(stats.toPay)}
            note={stats?.nextDeadline ? <Countdown until={stats.nextDeadline} /> : t.nothingToPay}
          />
          <StatCard label={t.totalToPay} value={stats && dollars(stats.amountDue)} note={t.totalToPayNote} />
          <StatCard label={t.paid} value={stats && number(stats.paid)} note={t.paidNote} />
          <StatCard label={t.spent} value={stats && dollars(stats.spent)} note={t.spentNote} />
        </>
      }
    >
      {view.list ? (
        <TodoList
          title={t.heldForYou}
          todo={rows.filter(isOpen).sort(byDeadline)}
          all={view.list.entities}
          emptyMessage={t.nothingHeld}
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
      <Thumbnail product={order} />
      <TodoText title={order.productName}>
        <span>{dollars(order.total)}</span>
        {order.status === "held" && (
          <>
            <span>{" · "}</span>
            <Countdown until={order.holdUntil} />
          </>
        )}
      </TodoText>
      {order.status === "held" ? (
        <Link
          to={`/dashboard/payment/${order._id}`}
          title={t.payFor(order.productName)}
          className={buttonClass({ size: "sm" })}
        >
          {t.pay}
        </Link>
      ) : (
        <Badge tone={order.status === "paid" ? "ok" : "neutral"}>{STATUS_LABELS[order.status]}</Badge>
      )}
    </>
  );
}

/** The badge of an order that is not held any more. */
const STATUS_LABELS: Record<Exclude<Booking["status"], "held">, string> = {
  paid: t.paid,
  expired: t.expired,
  cancelled: t.cancelled,
  refunded: t.refunded,
};
