import { EventLogDraft, hasDeparted, tombstoneKey } from "./eventLog";
import { hears, LIST_RULES, meaningOf } from "./listRules";
import { admitted, changeList, wanted } from "./normalizedList";
import type { Entity, EventLog, LiveEvent, LiveList } from "./types";

/** The cached lists by cache key, and the log of the live events. */
export interface LiveState {
  lists: Record<string, LiveList>;
  eventLog: EventLog;
}

/** What one batch does to one list, gathered before the list is copied once. */
interface Change {
  put: Map<string, Entity>;
  out: Set<string>;
}

/** Adds to the change what one event does to one list. */
function addEvent(
  list: LiveList,
  change: Change,
  event: LiveEvent,
  removed: boolean,
  eventLog: EventLog,
): void {
  const { data } = event;
  const held = change.put.get(data._id) ?? (change.out.has(data._id) ? undefined : list.entities[data._id]);
  if (held && held.version >= data.version && !removed) return;
  // A list with an order keeps an entity that no longer matches: its card says so.
  const stays = held !== undefined && list.order !== undefined;
  if (removed || !(stays || wanted(list, data))) {
    change.put.delete(data._id);
    change.out.add(data._id);
    return;
  }
  if (held || (admitted(list, data) && !hasDeparted(eventLog, LIST_RULES[list.kind].family, data))) {
    change.out.delete(data._id);
    change.put.set(data._id, data);
  }
}

/**
 * Applies a batch of events, oldest first. An event whose version is not above the list's is ignored, and a removed
 * entity does not return, on whichever topic it was removed. Pure; lists that do not change keep their reference.
 */
export function applyEvents(state: LiveState, events: readonly LiveEvent[]): LiveState {
  const eventLog = new EventLogDraft(state.eventLog);
  const changes = new Map<string, Change>();
  for (const event of events) {
    const meaning = meaningOf(event);
    if (!meaning) continue;
    const key = tombstoneKey(meaning.family, event.data._id);
    if (eventLog.isRemoved(key, event.data.version)) continue;
    if (meaning.removed) eventLog.recordRemoval(key, event.data.version);
    const latest = meaning.removed ? event : eventLog.note(event);
    for (const [name, list] of Object.entries(state.lists)) {
      if (LIST_RULES[list.kind].family !== meaning.family) continue;
      // A removal is true everywhere; any other event is one topic's view of the entity.
      if (!meaning.removed && !hears(list, event.topic)) continue;
      let change = changes.get(name);
      if (!change) {
        change = { put: new Map(), out: new Set() };
        changes.set(name, change);
      }
      addEvent(list, change, latest, meaning.removed, state.eventLog);
    }
  }
  const lists = { ...state.lists };
  let changed = false;
  for (const [name, { put, out }] of changes) {
    const before = state.lists[name] as LiveList;
    const after = changeList(before, put, out);
    if (after === before) continue;
    lists[name] = after;
    changed = true;
  }
  return { lists: changed ? lists : state.lists, eventLog: eventLog.done() };
}

/** The newest event of each entity, from all topics that feed the list. */
function* recentFor(list: LiveList, eventLog: EventLog): Generator<LiveEvent> {
  for (const [topic, events] of Object.entries(eventLog.recent)) {
    if (hears(list, topic)) yield* Object.values(events);
  }
}

/**
 * Applies to a fetched list the events that arrived during its request: removed entities are taken out, later
 * versions replace earlier ones, and new entities are added. Returns the same list when it is up to date.
 */
export function reconcile(list: LiveList, eventLog: EventLog): LiveList {
  const rule = LIST_RULES[list.kind];
  const put = new Map<string, Entity>();
  const out = new Set<string>();
  const isRemoved = (id: string, version: number) =>
    (eventLog.tombstones[tombstoneKey(rule.family, id)] ?? -1) >= version;
  for (const id of list.ids) {
    if (isRemoved(id, list.entities[id]?.version ?? 0)) out.add(id);
  }
  for (const event of recentFor(list, eventLog)) {
    const { data } = event;
    const held = list.entities[data._id];
    if (meaningOf(event)?.family !== rule.family || isRemoved(data._id, data.version)) continue;
    if (held ? held.version >= data.version : !admitted(list, data)) continue;
    if (!held && hasDeparted(eventLog, rule.family, data)) continue;
    if (wanted(list, data)) put.set(data._id, data);
    else if (held) out.add(data._id);
  }
  return changeList(list, put, out);
}
