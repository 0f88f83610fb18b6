import type { Ledger } from "./types";

/** A ledger that knows nothing yet. */
export const emptyLedger: Ledger = { recent: {}, tombstones: {}, departed: {} };
