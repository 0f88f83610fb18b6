import { EventLogDraft, entityKey, wasDropped } from "./eventLog";
import { effectOf, LIST_RULES, receivesTopic } from "./listRules";
import { belongsTo, isInLoadedRange, updateList } from "./normalizedList";
import type { Entity, EventLog, LiveEvent, LiveList } from "./types";

/** The cached lists by cache key, and the log of the live events. */
export interface LiveState {
  lists: Record<string, LiveList>;
  eventLog: EventLog;
}

/** The changes of one batch to one list; the list is copied once for all of them. */
interface ListChange {
  upserted: Map<string, Entity>;
  /** Ids. */
  removed: Set<string>;
}

/**
 * The entity of an event. If the setting hides the contact data of phones, an admin's page of a phone has them, and the events
 * of its topic do not.
 */
function withContact(current: Entity | undefined, data: LiveEvent["data"]): Entity {
  const { email, phone } = (current ?? {}) as Partial<LiveEvent["data"]>;
  if (!email || !data.sellerKey || data.email) return data;
  const kept: LiveEvent["data"] = { ...data, email, phone };
  return kept;
}

/** Adds to the change what one event does to one list. */
function collectEvent(
  list: LiveList,
  { upserted, removed }: ListChange,
  event: LiveEvent,
  isRemoval: boolean,
  eventLog: EventLog,
): void {
  const { data } = event;
  const current = upserted.get(data._id) ?? (removed.has(data._id) ? undefined : list.entities[data._id]);
  if (current && current.version >= data.version && !isRemoval) return;
  // A list with an order keeps an entity that no longer matches; its card shows that.
  const isKept = current !== undefined && list.order !== undefined;
  if (isRemoval || !(isKept || belongsTo(list, data))) {
    upserted.delete(data._id);
    removed.add(data._id);
    return;
  }
  const isNew = isInLoadedRange(list, data) && !wasDropped(eventLog, LIST_RULES[list.kind].entityType, data);
  if (current || isNew) {
    removed.delete(data._id);
    upserted.set(data._id, withContact(current, data));
  }
}

/**
 * Applies a batch of events, oldest first. An event whose version is not above the list's is ignored, and a removed
 * entity returns in a later version only, on whichever topic it was removed. Pure; lists that do not change keep their reference.
 */
export function applyEvents(state: LiveState, events: readonly LiveEvent[]): LiveState {
  const eventLog = new EventLogDraft(state.eventLog);
  const changes = new Map<string, ListChange>();
  for (const event of events) {
    const effect = effectOf(event);
    const key = entityKey(effect.entityType, event.data._id);
    if (eventLog.isRemoved(key, event.data.version)) continue;
    if (effect.isRemoval) eventLog.recordRemoval(key, event.data.version);
    else eventLog.recordReturn(key);
    const latest = effect.isRemoval ? event : eventLog.recordEvent(event);
    for (const [cacheKey, list] of Object.entries(state.lists)) {
      if (LIST_RULES[list.kind].entityType !== effect.entityType) continue;
      // A removal is the same on every topic; any other event has the entity as readers of its topic may see it.
      if (!effect.isRemoval && !receivesTopic(list, event.topic)) continue;
      let change = changes.get(cacheKey);
      if (!change) {
        change = { upserted: new Map(), removed: new Set() };
        changes.set(cacheKey, change);
      }
      collectEvent(list, change, latest, effect.isRemoval, state.eventLog);
    }
  }
  const lists = { ...state.lists };
  let isChanged = false;
  for (const [cacheKey, { upserted, removed }] of changes) {
    const before = state.lists[cacheKey] as LiveList;
    const after = updateList(before, upserted, removed);
    if (after === before) continue;
    lists[cacheKey] = after;
    isChanged = true;
  }
  return { lists: isChanged ? lists : state.lists, eventLog: eventLog.finish() };
}

/** The newest event of each entity, from all topics whose events the list receives. */
function* recentEventsFor(list: LiveList, eventLog: EventLog): Generator<LiveEvent> {
  for (const [topic, events] of Object.entries(eventLog.recentEvents)) {
    if (receivesTopic(list, topic)) yield* Object.values(events);
  }
}

/**
 * Applies to a fetched list the events that arrived during its request: removed entities are taken out, later
 * versions replace earlier ones, and new entities are added. Returns the same list when it is up to date.
 */
export function reconcile(list: LiveList, eventLog: EventLog): LiveList {
  const { entityType } = LIST_RULES[list.kind];
  const upserted = new Map<string, Entity>();
  const removed = new Set<string>();
  const isRemoved = (id: string, version: number) =>
    (eventLog.removedVersions[entityKey(entityType, id)] ?? -1) >= version;
  for (const id of list.ids) {
    if (isRemoved(id, list.entities[id]?.version ?? 0)) removed.add(id);
  }
  for (const event of recentEventsFor(list, eventLog)) {
    const { data } = event;
    const current = list.entities[data._id];
    if (effectOf(event).entityType !== entityType || isRemoved(data._id, data.version)) continue;
    if (current ? current.version >= data.version : !isInLoadedRange(list, data)) continue;
    if (!current && wasDropped(eventLog, entityType, data)) continue;
    if (belongsTo(list, data)) upserted.set(data._id, withContact(current, data));
    else if (current) removed.add(data._id);
  }
  return updateList(list, upserted, removed);
}
