export { applyEvents, reconcile } from "./applyEvents";
export { Connection } from "./connection";
export { clearEvents, emptyEventLog, entityKey, recordDropped } from "./eventLog";
export { receivesTopic } from "./listRules";
export {
  appendPage,
  createList,
  isLiveList,
  replaceList,
  updateEntity,
} from "./normalizedList";
export type { ConnectionPorts, ConnectionStatus } from "./ports";
export type { Entity, EventLog, ListKind, LiveEvent, LiveList, OrderFilter } from "./types";
export { listsWithUnknownTotal } from "./unknownTotals";
