import type { Booking, Case, User } from "@/api/types";
import { createdAt } from "@/lib/entityTime";
import { serverNow } from "@/lib/serverTime";
import { waitsSince } from "./cases/facts";

/** What an admin has to do: one row of the queue. */
export type Task = { _id: string /** Since when it waits, in milliseconds since 1970. */; since: number } & (
  | { kind: "problem" | "late" | "dispute"; order: Booking }
  | { kind: "payout"; orders: Booking[] }
  | { kind: "verify"; seller: User }
  | { kind: "case"; case: Case }
);

interface Lists {
  problems: Booking[];
  /** Orders whose payment is disputed at the bank, which waits for an answer. */
  disputes: Booking[];
  /** Orders whose money is due, where an admin pays sellers. */
  due: Booking[];
  late: Booking[];
  sellers: User[];
  /** Cases to decide, and appeals. */
  cases: Case[];
}

/** How many orders one payout may be of; the server takes no more. The others are the next task. */
const MAX_PAYOUT = 200;

/** Everything that an admin has to do, oldest first: the money due to one seller is one task, and so are the reports of one case. */
export function tasksOf({ problems, disputes, due, late, sellers, cases }: Lists): Task[] {
  const isProblem = new Set(problems.map(({ _id }) => _id));
  const toAnswer = disputes.filter(({ dispute }) => Date.parse(dispute?.answerBy ?? "") > serverNow());
  const isToAnswer = new Set(toAnswer.map(({ _id }) => _id));
  const tasks: Task[] = [
    ...toAnswer.map((order) => ({
      _id: order._id,
      kind: "dispute" as const,
      order,
      since: Date.parse(order.dispute?.openedAt ?? ""),
    })),
    // A problem of a disputed order is decided after the bank has decided.
    ...problems
      .filter(({ _id }) => !isToAnswer.has(_id))
      .map((order) => ({ _id: order._id, kind: "problem" as const, order, since: waitingSince(order) })),
    ...late
      .filter(({ _id }) => !isProblem.has(_id))
      .map((order) => ({ _id: order._id, kind: "late" as const, order, since: waitingSince(order) })),
    ...groups(due, ({ _id, seller }) => seller?.email ?? _id).map(([email, all]) => {
      const orders = all.toSorted((a, b) => settledAt(a) - settledAt(b)).slice(0, MAX_PAYOUT);
      return {
        _id: `payout ${email}`,
        kind: "payout" as const,
        orders,
        since: Math.min(...orders.map(settledAt)),
      };
    }),
    ...sellers
      .filter(({ status }) => status !== "verified")
      .map((seller) => ({ _id: seller._id, kind: "verify" as const, seller, since: createdAt(seller._id) })),
    ...cases.map((one) => ({ _id: one._id, kind: "case" as const, case: one, since: waitsSince(one) })),
  ];
  return tasks.sort((a, b) => a.since - b.since);
}

const settledAt = ({ fulfilment }: Booking) => Date.parse(fulfilment?.settledAt ?? "");
const waitingSince = ({ fulfilment }: Booking) =>
  Date.parse(
    fulfilment?.objection?.at ?? fulfilment?.problemAt ?? fulfilment?.sentAt ?? fulfilment?.paidAt ?? "",
  );

function groups<T>(all: readonly T[], keyOf: (one: T) => string): [string, T[]][] {
  const byKey = new Map<string, T[]>();
  for (const one of all) byKey.set(keyOf(one), [...(byKey.get(keyOf(one)) ?? []), one]);
  return [...byKey];
}
