import type { Booking, Role } from "@/api/types";
import { serverNow } from "@/lib/serverTime";
import { shortMinute } from "@/texts/dates";
import { dollars } from "@/texts/money";
import * as t from "@/texts/order";

/** The stage of an order: its status, its fulfilment after the payment, and where the money is. */
export type Stage = keyof (typeof t.headlines)["buyer"];

/**
 * The stage of an order. An open dispute has priority, because its money may come back; then a refund. If the bank gave the
 * buyer a part of the money, an admin decides about the order. Without payouts nothing follows the end of the order.
 */
export function stageOf({ status, fulfilment, dispute, paidOutAt }: Booking, hasPayouts = true): Stage {
  if (dispute?.state === "open") return "disputed";
  if (status !== "paid") return status;
  if (dispute?.state === "lost" && fulfilment?.state !== "settled") return "partLost";
  if (fulfilment?.state !== "settled") return fulfilment?.state ?? "over";
  if (fulfilment.outcome === "refund") return "refunding";
  if (paidOutAt) return "paidOut";
  // An order from before there were payouts has no dates.
  return hasPayouts && fulfilment.settledAt ? "released" : "over";
}

/** A settled order is past after this time, milliseconds: 14 days, as long as the order has the buyer's address. */
const PAST_AFTER_MS = 14 * 24 * 60 * 60_000;

/** Whether an order has ended without a sale, or was settled long ago. */
export function isPast({ status, fulfilment, dispute }: Booking): boolean {
  if (dispute?.state === "open") return false;
  if (status !== "paid") return status !== "held";
  // An order from before there were payouts has no dates.
  const settledAt = fulfilment?.settledAt ? Date.parse(fulfilment.settledAt) : 0;
  return fulfilment?.state === "settled" && serverNow() - settledAt > PAST_AFTER_MS;
}

/** The names of the two sides; one who has deleted their account has none. */
export function namesOf({ seller, userName }: Booking): Pick<t.Words, "seller" | "buyer"> {
  return { seller: seller?.name || t.theSeller, buyer: userName || t.theBuyer };
}

/** When the order's state ends by itself; "" if it does not. */
export function deadlineOf({ fulfilment }: Booking): string {
  const { sendBy, settlesAt, decideBy, returnBy, refundsAt } = fulfilment ?? {};
  return minuteOf(sendBy ?? settlesAt ?? decideBy ?? returnBy ?? refundsAt);
}

const minuteOf = (at: string | undefined) => (at ? shortMinute(at) : "");

/** Until when the seller may answer the problem; "" if they have answered, or if the time is over. */
export const answerDeadlineOf = ({ fulfilment: f }: Booking): string =>
  f?.answer || f?.late ? "" : minuteOf(f?.answerBy);

/** What happens next, for this side. */
export function headlineOf(order: Booking, side: Role, hasPayouts: boolean): [title: string, text: string] {
  const { paidOutAt, delivery, total } = order;
  return t.headlines[side][stageOf(order, hasPayouts)]({
    ...namesOf(order),
    isSent: delivery === "send",
    total: dollars(total),
    ends: deadlineOf(order),
    answerBy: answerDeadlineOf(order),
    isLate: order.fulfilment?.late ?? false,
    paidOut: minuteOf(paidOutAt),
  });
}

/** Whether the order is paid and the buyer does not have the phone for good yet. */
export const isOnItsWay = ({ status, fulfilment }: Booking): boolean =>
  status === "paid" && fulfilment !== undefined && fulfilment.state !== "settled";
