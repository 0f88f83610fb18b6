export { applyEvents, type LiveState, reconcile } from "./apply";
export { hears } from "./feeds";
export { depart, emptyLedger, forget } from "./ledger";
export { Line, type LinePorts, type LineStatus } from "./line";
export { appendPage, isLiveList, type ListMeta, listOf, replaceList } from "./list";
export type { Entity, Ledger, ListKind, LiveEvent, LiveList } from "./types";
