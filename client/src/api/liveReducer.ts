import type { Reducer } from "@reduxjs/toolkit";
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

/** The part of RTK Query's state that live updates read and change. */
interface Cache {
  queries: Record<string, { data?: unknown } | undefined>;
}

/** The part of the store's state that live updates read and change. */
export interface LiveRoot {
  api: Cache;
  eventLog: EventLog;
}

/** The slice of the event log. Only withLiveUpdates changes it, together with the lists. */
export const eventLogReducer: Reducer<EventLog> = (eventLog = emptyEventLog) => eventLog;

/**
 * Adds live updates to the reducer of the store. One action changes all cached lists (updateQueryData would dispatch
 * once per list). A list that has been fetched gets the logged events that are newer in the same step.
 */
export function withLiveUpdates<S extends LiveRoot>(reducer: Reducer<S>): Reducer<S> {
  return (before, action) => {
    const state = reducer(before, action);
    if (eventsReceived.match(action)) {
      const { eventLog, lists } = applyEvents(
        { lists: cachedLists(state.api), eventLog: state.eventLog },
        action.payload,
      );
      return update(state, lists, eventLog);
    }
    if (eventsCleared.match(action)) return update(state, {}, clearEvents(state.eventLog, action.payload));
    if (entityFetched.match(action)) {
      const { id, entity } = action.payload;
      const lists = Object.entries(cachedLists(state.api)).map(
        ([key, list]) => [key, updateEntity(list, id, entity)] as const,
      );
      return update(state, Object.fromEntries(lists), state.eventLog);
    }
    return before ? reconcileFetched(before, state) : state;
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

/** The state with these lists and this event log; the same object if nothing changes. */
function update<S extends LiveRoot>(state: S, lists: Record<string, LiveList>, eventLog: EventLog): S {
  const queries = { ...state.api.queries };
  let isChanged = false;
  for (const [key, list] of Object.entries(lists)) {
    if (queries[key]?.data === list) continue;
    queries[key] = { ...queries[key], data: list };
    isChanged = true;
  }
  if (!isChanged && eventLog === state.eventLog) return state;
  return { ...state, eventLog, api: isChanged ? { ...state.api, queries } : state.api };
}

/** Applies the logged events to the lists that have just been fetched. */
function reconcileFetched<S extends LiveRoot>(before: S, after: S): S {
  if (before.api.queries === after.api.queries) return after;
  const lists: Record<string, LiveList> = {};
  let { eventLog } = after;
  for (const [key, list] of Object.entries(cachedLists(after.api))) {
    const previous = before.api.queries[key]?.data;
    if (previous === list) continue;
    if (isLiveList(previous)) eventLog = recordDropped(eventLog, previous, list);
    lists[key] = reconcile(list, eventLog);
  }
  return update(after, lists, eventLog);
}
