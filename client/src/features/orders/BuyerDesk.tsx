import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { useConfigQuery } from "@/api/config";
import type { Booking, Offer } from "@/api/types";
import { type ListView, rowsOf } from "@/api/useList";
import * as t from "@/texts/dashboard";
import { dollars } from "@/texts/money";
import {
  Badge,
  buttonClass,
  Countdown,
  cx,
  Desk,
  DeskNumber,
  Skeleton,
  Thumbnail,
  TodoList,
  TodoText,
  titleLinkClass,
} from "@/ui";
import { headlineOf, isOnItsWay } from "./stage";

const isHeld = ({ status }: Booking) => status === "held";
/** The buyer does not have the phone yet. */
const isNotThere = ({ status, fulfilment }: Booking) =>
  status === "paid" && (fulfilment?.state === "waiting" || fulfilment?.state === "sent");
const isToReturn = ({ fulfilment }: Booking) => fulfilment?.state === "returning";
const sumOf = (orders: readonly Booking[]) => orders.reduce((sum, { total }) => sum + total, 0);
const byDeadline = (a: Booking, b: Booking) => Date.parse(a.holdUntil) - Date.parse(b.holdUntil);
const byPayment = (a: Booking, b: Booking) => paidAt(a) - paidAt(b);
const paidAt = ({ fulfilment }: Booking) => Date.parse(fulfilment?.paidAt ?? "");

interface Props {
  view: ListView<Booking>;
  /** Those that wait for the buyer's answer, and how one is shown. */
  offers: { view: ListView<Offer>; todo: readonly Offer[]; row: (offer: Offer) => ReactNode };
}

/**
 * The buyer's dashboard: where the money is; the orders to pay, and until when, and the phones to return; then the prices
 * that sellers ask, and what is on its way.
 */
export function BuyerDesk({ view, offers }: Props) {
  const rows = rowsOf(view.list);
  const held = rows.filter(isHeld).sort(byDeadline);
  const onItsWay = rows.filter(isOnItsWay).sort(byPayment);
  const [toReturn, others] = [onItsWay.filter(isToReturn), onItsWay.filter((order) => !isToReturn(order))];
  const paid = rows.filter(({ status }) => status === "paid");
  const ifLoaded = (sum: number) => view.list && dollars(sum);
  return (
    <Desk
      title={t.buyer}
      views={[view, offers.view]}
      action={
        <Link to="/categories" className={buttonClass({ size: "sm" })}>
          {t.findPhone}
        </Link>
      }
      numbers={
        <>
          <DeskNumber label={t.toPay} value={ifLoaded(sumOf(held))} />
          <DeskNumber label={t.withUs} value={ifLoaded(sumOf(onItsWay))} />
          <DeskNumber label={t.spent} value={ifLoaded(sumOf(paid))} />
        </>
      }
    >
      {view.list && offers.view.list ? (
        <TodoList
          title={t.next}
          todo={[...held, ...toReturn, ...offers.todo, ...others]}
          all={{ ...offers.view.list.entities, ...view.list.entities }}
          emptyMessage={t.nothingHeld}
          maxRows={8}
        >
          {(row) => ("threadID" in row ? offers.row(row) : <Order order={row} />)}
        </TodoList>
      ) : (
        <Skeleton className="h-32" />
      )}
    </Desk>
  );
}

const Order = ({ order }: { order: Booking }) =>
  order.fulfilment ? <PaidOrder order={order} /> : <HeldOrder order={order} />;

function HeldOrder({ order }: { order: Booking }) {
  return (
    <>
      <Thumbnail product={order} />
      <TodoText title={order.productName}>
        {isHeld(order) ? (
          <>
            <span>{t.heldUntilPaid(dollars(order.total))}</span>
            <Countdown until={order.holdUntil} />
          </>
        ) : (
          dollars(order.total)
        )}
      </TodoText>
      {isHeld(order) ? (
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

/** What the buyer does next, and what happens to the money until then. */
function PaidOrder({ order }: { order: Booking }) {
  const hasPayouts = useConfigQuery().data?.payouts !== "off";
  const [next] = headlineOf(order, "buyer", hasPayouts);
  return (
    <>
      <Thumbnail product={order} />
      <TodoText
        title={
          <Link className={titleLinkClass} to={`/dashboard/order/${order._id}`}>
            {order.productName}
          </Link>
        }
      >
        <span>{next}</span>
        {hasPayouts && isNotThere(order) && <span>{` · ${t.weHold(dollars(order.total))}`}</span>}
      </TodoText>
      <Link
        to={`/dashboard/order/${order._id}`}
        title={t.seeOrderOf(order.productName)}
        className={cx("max-sm:hidden", buttonClass({ size: "sm", variant: "secondary" }))}
      >
        {t.seeOrder}
      </Link>
    </>
  );
}

/** The badges of the statuses; "Held" is not shown, but the way to pay. */
const STATUS_LABELS: Record<Booking["status"], string> = {
  held: "",
  paid: t.paid,
  expired: t.expired,
  cancelled: t.cancelled,
  refunded: t.refunded,
};
