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
import type { AnswerMeta } from "./answerMeta";
import { api } from "./api";
import type { ApiError } from "./errors";
import { listId, listTag, type ShownListsRoot } from "./shownLists";

/** Rows asked for at once; the server allows 200. */
const PAGE_SIZE = 100;

/** The argument of a list endpoint; `cursor` requests a further page. */
export interface PageArg {
  cursor?: string;
}

type Answer<T> = QueryReturnValue<T, ApiError, AnswerMeta | undefined>;
type Call = (url: string) => PromiseLike<Answer<unknown>> | Answer<unknown>;

async function fetchPage<T extends Entity>(
  { kind, query: wanted }: { kind: ListKind; query: Query | undefined },
  path: string,
  call: Call,
  cursor?: string,
) {
  const startedAt = Date.now();
  const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(cursor && { cursor }) });
  const answer = await call(`${path}${path.includes("?") ? "&" : "?"}${query}`);
  if (answer.error) return { error: answer.error };
  const items = Array.isArray(answer.data) ? (answer.data as T[]) : [];
  const { total = null, nextCursor = null, live } = answer.meta ?? {};
  const topic = live?.topic ?? null;
  return {
    data: createList(items, {
      kind,
      total,
      nextCursor,
      topic,
      position: live?.position ?? null,
      startedAt,
      query: wanted,
    }),
  };
}

/** The length of the cached list that is being refetched. */
function cachedCount(store: BaseQueryApi): number {
  const { api: cache } = store.getState() as {
    api: { queries: Record<string, { data?: unknown } | undefined> };
  };
  const data = cache.queries[store.queryCacheKey ?? ""]?.data;
  return isLiveList(data) ? data.ids.length : 0;
}

/**
 * The definition of a list endpoint that live updates change. A refetch loads as many pages as before, so that the
 * screen keeps its length; a call with a cursor appends that page. `queryOf` returns the filters and the order of a
 * list; undefined for everything, newest first. The kind may depend on the argument.
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
    ): Promise<Answer<LiveList<T>>> => {
      const path = pathOf(arg);
      const of = { kind: kindOf(arg), query: queryOf(arg) };
      if (arg.cursor) return fetchPage<T>(of, path, call, arg.cursor);
      const goal = cachedCount(store);
      const first = await fetchPage<T>(of, path, call);
      let list = first.data;
      while (list && list.nextCursor !== null && list.ids.length < goal) {
        const page = await fetchPage<T>(of, path, call, list.nextCursor);
        if (!page.data) return page;
        list = appendPage(list, page.data);
      }
      return list ? { data: { ...list, id: listId(of.kind, arg) } } : first;
    },
    providesTags: (_list: unknown, _error: unknown, arg: A) => [listTag(listId(kindOf(arg), arg))],
    serializeQueryArgs: ({ queryArgs }: { queryArgs: A }) => {
      const { cursor: _, ...rest } = queryArgs;
      return rest;
    },
    merge: (held: LiveList<T>, coming: LiveList<T>, { arg }: { arg: A }) => {
      // RTK Query passes a draft; the helpers compare references of the original.
      const before = (original(held as object) as LiveList<T> | undefined) ?? held;
      return arg.cursor ? appendPage(before, coming) : replaceList(before, coming);
    },
    forceRefetch: ({ currentArg, previousArg }: { currentArg: A | undefined; previousArg: A | undefined }) =>
      currentArg?.cursor !== undefined && currentArg.cursor !== previousArg?.cursor,
  };
}

/** The part of the store's state that the helpers below read. */
interface Root extends ShownListsRoot {
  api: ReturnType<typeof api.reducer>;
}
type Dispatch = ThunkDispatch<Root, unknown, UnknownAction>;

/** The part of a list endpoint that the helpers below call. */
interface ListEndpoint {
  initiate: (arg: never, options?: { forceRefetch?: boolean; subscribe?: boolean }) => unknown;
}

/** Chooses among the cached lists. */
export type ListTest = (list: LiveList) => boolean;

/** The cached lists that pass the test, by cache key: those on the screen, and those kept for a screen that was closed. */
function listsThat(test: ListTest, { api: { queries }, shownLists }: Root) {
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
  listsThat(test, state).shown;

/**
 * Removes from the cache the lists that pass the test and are not on the screen: they are fetched when their screen
 * is opened again. RTK Query removes an invalidated entry that has no subscriber.
 */
export const forgetHidden =
  (test: ListTest) =>
  (dispatch: Dispatch, getState: () => Root): void => {
    const { hidden } = listsThat(test, getState());
    dispatch(api.util.invalidateTags(Object.values(hidden).map(({ id = "" }) => listTag(id))));
  };

/**
 * Refetches every list on the screen that passes the test; false when one failed. The rows stay on the screen until
 * the answer arrives. A list that is not on the screen is removed from the cache instead.
 */
export function refetchLists(test: ListTest) {
  return async (dispatch: Dispatch, getState: () => Root): Promise<boolean> => {
    dispatch(forgetHidden(test));
    const keys = Object.keys(selectShownLists(test, getState()));
    const fetches = keys.map((key) => dispatch(refetchList(key)));
    return (await Promise.all(fetches)).every(Boolean);
  };
}

/**
 * Refetches one cached list. A call under way is awaited first: RTK Query makes no second call beside it, and it may
 * have begun too early or bring a further page only.
 */
function refetchList(key: string) {
  return async (dispatch: Dispatch, getState: () => Root): Promise<boolean> => {
    const entryNow = () => getState().api.queries[key];
    for (let entry = entryNow(); entry?.status === "pending"; entry = entryNow()) {
      const running = api.util.getRunningQueryThunk(entry.endpointName as never, entry.originalArgs as never);
      const call = dispatch(running as never) as unknown as Promise<unknown> | undefined;
      if (!call) break;
      await call;
    }
    const entry = entryNow();
    // It has left the cache: the next screen that shows it fetches it.
    if (!entry) return true;
    const { cursor: _, ...arg } = (entry.originalArgs ?? {}) as PageArg;
    const endpoint = (api.endpoints as Record<string, ListEndpoint>)[entry.endpointName ?? ""];
    const query = endpoint?.initiate(arg as never, { forceRefetch: true, subscribe: false });
    const answer = await (dispatch(query as never) as unknown as Promise<{ isError: boolean }>);
    return !answer.isError;
  };
}
