import { original, type ThunkDispatch, type UnknownAction } from "@reduxjs/toolkit";
import type { BaseQueryApi, QueryReturnValue } from "@reduxjs/toolkit/query";
import {
  appendPage,
  createList,
  type Entity,
  isLiveList,
  type ListKind,
  type LiveList,
  replaceList,
} from "@/lib/live";
import type { Query } from "@/lib/productQuery/query";
import { api } from "./api";
import type { ApiError } from "./errors";
import type { ResponseMeta } from "./responseMeta";
import { listId, listTag, type ShownListsRoot } from "./shownLists";

/** Entities per page; the server allows 200. */
const PAGE_SIZE = 100;

/** The argument of a list endpoint; `cursor` requests a further page. */
export interface PageArg {
  cursor?: string;
}

type ListResult<T> = QueryReturnValue<T, ApiError, ResponseMeta | undefined>;
type Call = (url: string) => PromiseLike<ListResult<unknown>> | ListResult<unknown>;

async function fetchPage<T extends Entity>(
  { kind, query }: { kind: ListKind; query: Query | undefined },
  path: string,
  call: Call,
  cursor?: string,
) {
  const startedAt = Date.now();
  const params = new URLSearchParams({ limit: String(PAGE_SIZE), ...(cursor && { cursor }) });
  const result = await call(`${path}${path.includes("?") ? "&" : "?"}${params}`);
  if (result.error) return { error: result.error };
  const items = Array.isArray(result.data) ? (result.data as T[]) : [];
  const { total = null, nextCursor = null, live, corrected } = result.meta ?? {};
  const topic = live?.topic ?? null;
  return {
    data: createList(items, {
      kind,
      total,
      nextCursor,
      topic,
      position: live?.position ?? null,
      startedAt,
      query: query && corrected ? { ...query, text: corrected } : query,
    }),
  };
}

/** The number of loaded entities of the cached list that is being refetched. */
function cachedCount(store: BaseQueryApi): number {
  const { api: cache } = store.getState() as {
    api: { queries: Record<string, { data?: unknown } | undefined> };
  };
  const data = cache.queries[store.queryCacheKey ?? ""]?.data;
  return isLiveList(data) ? data.ids.length : 0;
}

/**
 * The definition of a list endpoint with live updates. A refetch loads as many pages as before, so that the screen keeps
 * its length; a call with a cursor appends that page. `queryOf` returns the filters and the order of a list; undefined
 * for all entities, newest first. The kind may depend on the argument.
 */
export function liveList<T extends Entity, A extends PageArg>(
  kind: ListKind | ((arg: A) => ListKind),
  pathOf: (arg: A) => string,
  queryOf: (arg: A) => Query | undefined = () => undefined,
) {
  const kindOf = typeof kind === "function" ? kind : () => kind;
  return {
    queryFn: async (
      arg: A,
      store: BaseQueryApi,
      _extra: object,
      call: Call,
    ): Promise<ListResult<LiveList<T>>> => {
      const path = pathOf(arg);
      const listType = { kind: kindOf(arg), query: queryOf(arg) };
      if (arg.cursor) return fetchPage<T>(listType, path, call, arg.cursor);
      const count = cachedCount(store);
      const first = await fetchPage<T>(listType, path, call);
      let list = first.data;
      while (list && list.nextCursor !== null && list.ids.length < count) {
        const page = await fetchPage<T>(listType, path, call, list.nextCursor);
        if (!page.data) return page;
        list = appendPage(list, page.data);
      }
      return list ? { data: { ...list, id: listId(listType.kind, arg) } } : first;
    },
    providesTags: (_list: unknown, _error: unknown, arg: A) => [listTag(listId(kindOf(arg), arg))],
    serializeQueryArgs: ({ queryArgs }: { queryArgs: A }) => {
      const { cursor: _, ...rest } = queryArgs;
      return rest;
    },
    merge: (draft: LiveList<T>, fetched: LiveList<T>, { arg }: { arg: A }) => {
      // The functions compare references, so they need the original and not Immer's draft.
      const cached = (original(draft as object) as LiveList<T> | undefined) ?? draft;
      return arg.cursor ? appendPage(cached, fetched) : replaceList(cached, fetched);
    },
    forceRefetch: ({ currentArg, previousArg }: { currentArg: A | undefined; previousArg: A | undefined }) =>
      currentArg?.cursor !== undefined && currentArg.cursor !== previousArg?.cursor,
  };
}

/** The part of the state that the functions below read. */
interface Root extends ShownListsRoot {
  api: ReturnType<typeof api.reducer>;
}
type Dispatch = ThunkDispatch<Root, unknown, UnknownAction>;

/** The part of a list endpoint that the functions below call. */
interface ListEndpoint {
  initiate: (arg: never, options?: { forceRefetch?: boolean; subscribe?: boolean }) => unknown;
}

/** A predicate that selects cached lists. */
export type ListTest = (list: LiveList) => boolean;

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
  (dispatch: Dispatch, getState: () => Root): void => {
    const { hidden } = partitionLists(test, getState());
    dispatch(api.util.invalidateTags(Object.values(hidden).map(({ id = "" }) => listTag(id))));
  };

/**
 * Refetches every list on the screen that passes the test; resolves to false if one failed. The rows stay on the screen
 * until the response arrives. A list that is not on the screen is removed from the cache instead.
 */
export function refetchLists(test: ListTest) {
  return async (dispatch: Dispatch, getState: () => Root): Promise<boolean> => {
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
  return async (dispatch: Dispatch, getState: () => Root): Promise<boolean> => {
    const currentEntry = () => getState().api.queries[key];
    for (let entry = currentEntry(); entry?.status === "pending"; entry = currentEntry()) {
      const running = api.util.getRunningQueryThunk(entry.endpointName as never, entry.originalArgs as never);
      const request = dispatch(running as never) as unknown as Promise<unknown> | undefined;
      if (!request) break;
      await request;
    }
    const entry = currentEntry();
    // It was removed from the cache: the next screen that shows it fetches it.
    if (!entry) return true;
    const { cursor: _, ...arg } = (entry.originalArgs ?? {}) as PageArg;
    const endpoint = (api.endpoints as Record<string, ListEndpoint>)[entry.endpointName ?? ""];
    const query = endpoint?.initiate(arg as never, { forceRefetch: true, subscribe: false });
    const result = await (dispatch(query as never) as unknown as Promise<{ isError: boolean }>);
    return !result.isError;
  };
}
