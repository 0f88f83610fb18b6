import type { ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import { isLiveList, type ListKind, type LiveList } from "@/lib/live";
import { type ApiRoot, api } from "./api";
import { refetchQuery, runningQuery } from "./cachedQueries";
import type { PageArg } from "./liveList";
import { listTag, type ShownListsRoot } from "./shownLists";

/** The part of the state that the functions of this file read. */
type Root = ApiRoot & ShownListsRoot;
/** Dispatch that takes the functions of this file. */
export type ListDispatch = ThunkDispatch<Root, unknown, UnknownAction>;

/** A predicate that selects cached lists. */
export type ListTest = (list: LiveList) => boolean;

/** Selects the lists of these kinds. */
export const ofKind =
  (...kinds: ListKind[]): ListTest =>
  ({ kind }) =>
    kinds.includes(kind);

/** The cached lists that pass the test, by cache key: those on the screen, and those of closed screens. */
function partitionLists(test: ListTest, { api: { queries }, shownLists }: Root) {
  const shown: Record<string, LiveList> = {};
  const hidden: Record<string, LiveList> = {};
  for (const [key, entry] of Object.entries(queries)) {
    const list = entry?.data;
    if (isLiveList(list) && test(list)) ((list.id ?? "") in shownLists ? shown : hidden)[key] = list;
  }
  return { shown, hidden };
}

/** The lists on the screen that pass the test, by cache key. */
export const selectShownLists = (test: ListTest, state: Root): Record<string, LiveList> =>
  partitionLists(test, state).shown;

/**
 * Removes from the cache the lists that pass the test and are not on the screen; they are fetched when their screen is
 * opened again. RTK Query removes an invalidated entry without subscribers.
 */
export const removeHiddenLists =
  (test: ListTest) =>
  (dispatch: ListDispatch, getState: () => Root): void => {
    const { hidden } = partitionLists(test, getState());
    dispatch(api.util.invalidateTags(Object.values(hidden).map(({ id = "" }) => listTag(id))));
  };

/**
 * Refetches every list on the screen that passes the test; resolves to false if one failed. The rows stay on the screen
 * until the response arrives. A list that is not on the screen is removed from the cache instead.
 */
export function refetchLists(test: ListTest) {
  return async (dispatch: ListDispatch, getState: () => Root): Promise<boolean> => {
    dispatch(removeHiddenLists(test));
    const keys = Object.keys(selectShownLists(test, getState()));
    const requests = keys.map((key) => dispatch(refetchList(key)));
    return (await Promise.all(requests)).every(Boolean);
  };
}

/**
 * Refetches one cached list. A running request is awaited first: RTK Query sends no second one beside it, and it may have
 * been sent too early or be for a further page only.
 */
function refetchList(key: string) {
  return async (dispatch: ListDispatch, getState: () => Root): Promise<boolean> => {
    const currentEntry = () => getState().api.queries[key];
    for (let entry = currentEntry(); entry?.status === "pending"; entry = currentEntry()) {
      const request = dispatch(runningQuery(entry.endpointName, entry.originalArgs));
      if (!request) break;
      await request;
    }
    const entry = currentEntry();
    // It was removed from the cache: the next screen that shows it fetches it.
    if (!entry?.endpointName) return true;
    const { cursor: _, ...arg } = (entry.originalArgs ?? {}) as PageArg;
    const result = await dispatch(refetchQuery(entry.endpointName, arg));
    return !result?.isError;
  };
}
