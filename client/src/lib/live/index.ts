export { applyEvents, type LiveState, reconcile } from "./apply";
export { Connection, type ConnectionPorts, type ConnectionStatus } from "./connection";
export { depart, emptyEventLog, forget } from "./eventLog";
export { hears } from "./listRules";
export { appendPage, isLiveList, type ListMeta, listOf, replaceList, withEntity } from "./normalizedList";
export type { Entity, EventLog, ListKind, LiveEvent, LiveList } from "./types";
