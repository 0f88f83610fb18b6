import type { Case, CaseDetail, Decision } from "@/api/types";
import { newId } from "./factories";
import { on } from "./server";

/** A report in a case. */
export const aCaseReport = (overrides: Partial<Case["reports"][number]> = {}): Case["reports"][number] => ({
  rule: "stolen",
  reason: "It is my phone",
  by: "Karim Uddin",
  at: "2026-11-20T10:00:00Z",
  young: false,
  ...overrides,
});

/** An open case about Salma's iPhone 6, with one report. */
export function aCase(overrides: Partial<Case> = {}): Case {
  return {
    _id: newId(),
    version: 1,
    kind: "product",
    target: {
      _id: newId(),
      name: "iPhone 6",
      img: "/images/iphone-6.webp",
      personID: newId(),
      person: "Salma Rahman",
    },
    reports: [aCaseReport()],
    reportCount: 1,
    state: "open",
    openedAt: "2026-11-20T10:00:00Z",
    ...overrides,
  };
}

/** The same with what was reported. */
export const aCaseDetail = (overrides: Partial<CaseDetail> = {}): CaseDetail => ({
  ...aCase(),
  copy: {
    brand: "Apple",
    resalePrice: 180,
    condition: "Good",
    storage: 64,
    description: "Battery at 91 %",
    photos: ["/images/back.webp"],
    verified: true,
  },
  exists: true,
  earlier: [],
  ...overrides,
});

/** A decision of a case: the phone was removed. */
export const aCaseDecision = (
  overrides: Partial<NonNullable<Case["decision"]>> = {},
): NonNullable<Case["decision"]> => ({
  decision: "remove",
  rule: "stolen",
  words: "This phone was reported to the police.",
  at: "2026-11-21T10:00:00Z",
  by: "Rita",
  ...overrides,
});

/** A decision for the person concerned: their phone was removed, and they may still appeal. */
export const aDecision = (overrides: Partial<Decision> = {}): Decision => ({
  _id: newId(),
  version: 1,
  rule: "stolen",
  words: "This phone was reported to the police.",
  decision: "remove",
  automated: false,
  target: { kind: "product", _id: newId(), name: "iPhone 6", img: "/images/iphone-6.webp" },
  at: "2026-11-21T10:00:00Z",
  appealBy: "2099-05-20T10:00:00Z",
  ...overrides,
});

/** Sets the responses of the lists of cases, by state. */
export const onCases = (all: readonly Case[]) =>
  on("get", "/cases", ({ url }) => {
    const state = new URL(url).searchParams.get("state");
    const items = all.filter((one) => one.state === state);
    return {
      body: items.map((one) => ({ ...one })),
      headers: { "X-Total-Count": String(items.length), "Live-Position": "admin=e1-1" },
    };
  });
