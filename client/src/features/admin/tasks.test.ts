import { expect, it } from "vitest";
import type { Booking } from "@/api/types";
import { aCase } from "@/testing/cases";
import { aBooking, aUser } from "@/testing/factories";
import { tasksOf } from "./tasks";

const NOTHING = { problems: [], disputes: [], due: [], late: [], sellers: [], cases: [] };
const salma = { name: "Salma", email: "salma@example.com", phone: "", location: "" };
const rita = { name: "Rita", email: "rita@example.com", phone: "", location: "" };

/** An order with this fulfilment. */
const paid = (fulfilment: Partial<Booking["fulfilment"]>, overrides: Partial<Booking> = {}) =>
  aBooking({ status: "paid", paid: true, fulfilment: { state: "waiting", ...fulfilment }, ...overrides });
/** An order whose money is due since this day of 2025. */
const due = (day: string, seller: Booking["seller"]) =>
  paid({ state: "settled", settledAt: `2025-${day}T10:00:00Z` }, { seller });
const at = (time: string) => Date.parse(time);

it("has no task if there is nothing to do", () => {
  expect(tasksOf(NOTHING)).toEqual([]);
});

it("puts what waits longest first, of whatever kind", () => {
  // Their _ids, and so their times, are those of October 2025 and later ones.
  const seller = aUser({ accountType: "Seller" });
  const open = aCase({ openedAt: "2025-05-05T10:00:00Z" });
  const appeal = { text: "No", at: "2025-03-04T10:00:00Z", state: "open" as const };
  const appealed = aCase({ state: "appealed", openedAt: "2025-01-02T10:00:00Z", appeal });
  const problem = paid({
    state: "problem",
    paidAt: "2025-01-01T10:00:00Z",
    problemAt: "2025-03-03T10:00:00Z",
  });
  const late = paid({ state: "sent", paidAt: "2025-01-01T10:00:00Z", sentAt: "2025-02-02T10:00:00Z" });
  const notSent = paid({ paidAt: "2025-01-01T10:00:00Z" });
  const money = due("04-04", salma);
  const tasks = tasksOf({
    problems: [problem],
    disputes: [],
    due: [money],
    late: [late, notSent],
    sellers: [seller],
    cases: [open, appealed],
  });
  expect(tasks.map(({ kind, since }) => [kind, since])).toEqual([
    ["late", at("2025-01-01T10:00:00Z")],
    ["late", at("2025-02-02T10:00:00Z")],
    ["problem", at("2025-03-03T10:00:00Z")],
    ["case", at("2025-03-04T10:00:00Z")],
    ["payout", at("2025-04-04T10:00:00Z")],
    ["case", at("2025-05-05T10:00:00Z")],
    ["verify", Number.parseInt(seller._id.slice(0, 12), 16)],
  ]);
});

it("makes one task of the money that is due to one seller, as old as the oldest order", () => {
  const [newest, oldest, ofRita] = [due("05-05", salma), due("03-03", salma), due("04-04", rita)];
  const tasks = tasksOf({ ...NOTHING, due: [newest, ofRita, oldest] });
  expect(tasks).toEqual([
    {
      _id: "payout salma@example.com",
      kind: "payout",
      orders: [oldest, newest],
      since: at("2025-03-03T10:00:00Z"),
    },
    { _id: "payout rita@example.com", kind: "payout", orders: [ofRita], since: at("2025-04-04T10:00:00Z") },
  ]);
});

it("keeps the money of deleted accounts apart: nobody knows whether they were one seller", () => {
  expect(tasksOf({ ...NOTHING, due: [due("03-03", undefined), due("04-04", undefined)] })).toHaveLength(2);
});

it("makes one task of a problem that is late", () => {
  const problem = paid({ state: "problem", problemAt: "2025-03-03T10:00:00Z" });
  const tasks = tasksOf({ ...NOTHING, problems: [problem], late: [problem] });
  expect(tasks.map(({ _id, kind }) => [_id, kind])).toEqual([[problem._id, "problem"]]);
});

it("has no task for a seller who is verified", () => {
  const [nadia, selim] = [
    aUser({ accountType: "Seller" }),
    aUser({ accountType: "Seller", status: "verified" }),
  ];
  expect(tasksOf({ ...NOTHING, sellers: [nadia, selim] }).map(({ _id }) => _id)).toEqual([nadia._id]);
});

it("has a dispute that the bank waits for, in place of the problem of its order", () => {
  const dispute = (answerBy: string) => ({
    state: "open" as const,
    openedAt: "2025-06-06T10:00:00Z",
    answerBy,
  });
  const open = paid({ state: "problem" }, { dispute: dispute("2125-06-13T10:00:00Z") });
  const over = paid({ state: "sent" }, { dispute: dispute("2025-06-13T10:00:00Z") });
  expect(tasksOf({ ...NOTHING, problems: [open], disputes: [open, over] })).toEqual([
    { _id: open._id, kind: "dispute", order: open, since: at("2025-06-06T10:00:00Z") },
  ]);
});
