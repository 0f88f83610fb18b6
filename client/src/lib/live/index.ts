export { applyEvents, type LiveState, reconcile } from "./applyEvents";
export { Connection } from "./connection";
export { clearEvents, emptyEventLog, entityKey, recordDropped } from "./eventLog";
export { receivesTopic } from "./listRules";
export {
  appendPage,
  createList,
  isLiveList,
  type ListMeta,
  replaceList,
  updateEntity,
} from "./normalizedList";
export type { ConnectionPorts, ConnectionStatus } from "./ports";
export type { Entity, EventLog, ListKind, LiveEvent, LiveList, OrderFilter } from "./types";
