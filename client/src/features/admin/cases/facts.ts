import type { Case } from "@/api/types";
import { rules } from "@/texts/cases";
import { list } from "@/texts/language";

/** Since when a case is in its state, in milliseconds since 1970. */
export function waitsSince({ state, openedAt, decision, appeal }: Case): number {
  if (state === "open") return Date.parse(openedAt);
  return Date.parse((state === "appealed" ? appeal?.at : decision?.at) ?? openedAt);
}

/** The rules that the reports name, each once. */
export const rulesOf = ({ reports }: Case): string =>
  list([...new Set(reports.map(({ rule }) => rules[rule] ?? rule))]);

/** Whether all reports are of accounts younger than a day. */
export const isOfYoung = ({ reports }: Case): boolean =>
  reports.length > 0 && reports.every(({ young }) => young);
