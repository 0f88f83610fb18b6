export { applyEvents, type LiveState, reconcile } from "./apply";
export { emptyLedger } from "./emptyLedger";
export { hears } from "./feeds";
export { depart, forget } from "./ledger";
export { Line, type LinePorts, type LineStatus } from "./line";
export { appendPage, isLiveList, type ListMeta, listOf, replaceList, withEntity } from "./list";
export type { Entity, Ledger, ListKind, LiveEvent, LiveList } from "./types";
