import type { Booking, Fulfilment } from "@/api/types";
import * as t from "@/texts/order";
import { categories } from "@/texts/orderProblems";

/** One line of the timeline. */
export interface TimelineStep {
  label: string;
  isDone: boolean;
  /** When it happened; missing if it has not, or if it is not known. */
  at?: string;
  detail?: string;
}

const done = (label: string, at?: string, detail?: string): TimelineStep => ({
  label,
  isDone: true,
  at,
  detail,
});
const toCome = (label: string): TimelineStep => ({ label, isDone: false });

/**
 * What has happened to an order, and what is still to come, in order. Without payouts the market does not know when the
 * seller gets the money.
 */
export function timelineOf(order: Booking, hasPayouts: boolean): TimelineStep[] {
  const { bookedAt, fulfilment: f, dispute, status } = order;
  const booked = done(t.booked, bookedAt);
  if (!f) {
    if (status === "expired") return [booked, done(t.expired)];
    if (status === "cancelled") return [booked, done(t.cancelled)];
    return [booked, toCome(t.paid)];
  }
  // Future steps are cancelled by a refund, and suspended while the bank decides.
  const isHalted = status === "refunded" || dispute?.state === "open";
  const handover = handoverSteps(f).filter(({ isDone }) => isDone || !isHalted);
  const money = moneySteps(order, f).filter(
    ({ isDone, label }) => isDone || hasPayouts || label !== t.paidOut,
  );
  const steps = [...handover, ...problemSteps(f), ...disputeSteps(order), ...money];
  const happened = steps.filter(({ isDone }) => isDone).sort((a, b) => timeOf(a) - timeOf(b));
  return [booked, done(t.paid, f.paidAt), ...happened, ...steps.filter(({ isDone }) => !isDone)];
}

const timeOf = ({ at }: TimelineStep) => (at ? Date.parse(at) : Number.MAX_SAFE_INTEGER);

/** How the phone gets to the buyer. A step that was left out, such as sending, is not shown. */
function handoverSteps({
  state,
  method,
  carrier = "",
  tracking = "",
  sentAt,
  receivedAt,
}: Fulfilment): TimelineStep[] {
  if (method === "met") return [done(t.handedOver, receivedAt)];
  const steps: TimelineStep[] = [];
  if (sentAt) steps.push(done(t.sent, sentAt, t.sentWith(carrier, tracking)));
  else if (state === "waiting") steps.push(toCome(t.toSend));
  if (receivedAt) steps.push(done(t.received, receivedAt));
  else if (state === "waiting" || state === "sent") steps.push(toCome(t.received));
  return steps;
}

/** The problem, what was said about it, and the return of the phone. */
function problemSteps(f: Fulfilment): TimelineStep[] {
  const { state, problemAt, category, answer, return: sentBack, objection } = f;
  if (!problemAt) return [];
  const steps = [done(t.problem, problemAt, category && categories[category])];
  if (answer) steps.push(done(t.answered, answer.at));
  if (sentBack) steps.push(done(t.sentBack, sentBack.at, t.sentWith(sentBack.carrier, sentBack.tracking)));
  if (objection) steps.push(done(t.objected, objection.at));
  if (state === "problem") steps.push(toCome(t.decision));
  if (state === "returning") steps.push(toCome(t.toSendBack));
  if (state === "sentBack") steps.push(toCome(t.hasBack));
  return steps;
}

function disputeSteps({ dispute }: Booking): TimelineStep[] {
  if (!dispute) return [];
  const { state, openedAt, closedAt } = dispute;
  const disputed = done(t.disputed, openedAt);
  if (state === "open") return [disputed, toCome(t.bankDecision)];
  return [disputed, done(state === "won" ? t.disputeWon : t.disputeLost, closedAt)];
}

function moneySteps(
  { status, dispute, paidOutAt }: Booking,
  { state, outcome, paidAt, settledAt }: Fulfilment,
): TimelineStep[] {
  if (dispute?.state === "open") return [];
  if (status === "refunded") return [done(t.refunded, settledAt)];
  if (outcome === "refund" || state === "returning" || state === "sentBack") return [toCome(t.refunded)];
  if (state === "problem") return [];
  const paidOut = paidOutAt ? done(t.paidOut, paidOutAt) : toCome(t.paidOut);
  if (state !== "settled") return [paidOut];
  // The market has no money of an order from before there were payouts.
  return [done(t.completed, settledAt), ...(paidAt ? [paidOut] : [])];
}
