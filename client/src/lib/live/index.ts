export { applyEvents, type LiveState, reconcile } from "./apply";
export { Connection } from "./connection";
export { depart, emptyEventLog, forget } from "./eventLog";
export { hears } from "./listRules";
export { appendPage, isLiveList, type ListMeta, listOf, replaceList, withEntity } from "./normalizedList";
export type { ConnectionPorts, ConnectionStatus } from "./ports";
export type { Entity, EventLog, ListKind, LiveEvent, LiveList } from "./types";
