import { applyEvents, reconcile } from "./apply";
import { depart, forget } from "./ledger";

/** How events and answers change lists, and what is remembered of them. */
export const liveRules = { applyEvents, reconcile, depart, forget };
/** The same, for who gets them later. */
export type LiveRules = typeof liveRules;
