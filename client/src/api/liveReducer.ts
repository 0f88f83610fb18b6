import type { Reducer, UnknownAction } from "@reduxjs/toolkit";
import {
  applyEvents,
  clearEvents,
  type EventLog,
  emptyEventLog,
  isLiveList,
  type LiveList,
  reconcile,
  recordDropped,
  updateEntity,
} from "@/lib/live";
import { entityFetched, eventsCleared, eventsReceived } from "./liveActions";

/** The part of RTK Query's state that live updates touch. */
interface Cache {
  queries: Record<string, { data?: unknown } | undefined>;
}

/** RTK Query's state with the log of live events. */
export type WithEventLog<S> = S & { eventLog: EventLog };

/**
 * Adds live updates to RTK Query's reducer. One action changes every cached list it concerns (updateQueryData would
 * dispatch once per list), and a fetched list gets the events that overtook it in the same step in which it arrives.
 */
export function withLiveUpdates<S extends Cache>(inner: Reducer<S>): Reducer<WithEventLog<S>> {
  // RTK Query's own reducer warns about keys it does not know, so it never sees the eventLog.
  const cores = new WeakMap<object, S>();
  const coreOf = (state: WithEventLog<S>): S => {
    const known = cores.get(state);
    if (known) return known;
    const { eventLog: _, ...core } = state;
    return core as unknown as S;
  };
  const join = (core: S, eventLog: EventLog, before?: WithEventLog<S>): WithEventLog<S> => {
    if (before && eventLog === before.eventLog && core === cores.get(before)) return before;
    const state = { ...core, eventLog };
    cores.set(state, core);
    return state;
  };
  return (state, action: UnknownAction) => {
    if (!state) return join(inner(undefined, action), emptyEventLog);
    const before = coreOf(state);
    if (eventsReceived.match(action)) {
      const applied = applyEvents({ lists: cachedLists(before), eventLog: state.eventLog }, action.payload);
      return join(withLists(before, applied.lists), applied.eventLog, state);
    }
    if (eventsCleared.match(action)) return join(before, clearEvents(state.eventLog, action.payload), state);
    if (entityFetched.match(action)) {
      const { id, entity } = action.payload;
      const lists = Object.entries(cachedLists(before)).map(
        ([key, list]) => [key, updateEntity(list, id, entity)] as const,
      );
      return join(withLists(before, Object.fromEntries(lists)), state.eventLog, state);
    }
    const after = inner(before, action);
    const { cache, eventLog } = reconciled(before, after, state.eventLog);
    return join(cache, eventLog, state);
  };
}

/** The cached lists, by cache key. */
export function cachedLists(cache: Cache): Record<string, LiveList> {
  const lists: Record<string, LiveList> = {};
  for (const [key, entry] of Object.entries(cache.queries)) {
    if (isLiveList(entry?.data)) lists[key] = entry.data;
  }
  return lists;
}

function withLists<S extends Cache>(cache: S, lists: Record<string, LiveList>): S {
  const queries = { ...cache.queries };
  let isChanged = false;
  for (const [key, list] of Object.entries(lists)) {
    if (queries[key]?.data === list) continue;
    queries[key] = { ...queries[key], data: list };
    isChanged = true;
  }
  return isChanged ? { ...cache, queries } : cache;
}

/** Applies the logged events to the lists that have just been fetched. */
function reconciled<S extends Cache>(
  before: S,
  after: S,
  eventLog: EventLog,
): { cache: S; eventLog: EventLog } {
  if (before.queries === after.queries) return { cache: after, eventLog };
  const lists: Record<string, LiveList> = {};
  let log = eventLog;
  for (const [key, list] of Object.entries(cachedLists(after))) {
    const previous = before.queries[key]?.data;
    if (previous === list) continue;
    if (isLiveList(previous)) log = recordDropped(log, previous, list);
    lists[key] = reconcile(list, log);
  }
  return { cache: withLists(after, lists), eventLog: log };
}
