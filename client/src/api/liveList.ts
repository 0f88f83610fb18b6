import type { BaseQueryApi } from "@reduxjs/toolkit/query";
import {
  appendPage,
  createList,
  type Entity,
  type ListKind,
  type LiveList,
  type OrderFilter,
  replaceList,
} from "@/lib/live";
import type { Query } from "@/lib/productQuery";
import { steadyNow } from "@/lib/serverTime";
import { cachedList, type ListResult, originalOf, type Send } from "./cachedList";
import { listId, listTag } from "./shownLists";

/** Entities per page; the server allows 200. */
const PAGE_SIZE = 100;
/** Cards per page: whole rows of two, three and four columns. */
export const CARDS_PER_PAGE = 24;

/** The argument of a list endpoint; `cursor` requests a further page. */
export interface PageArg {
  cursor?: string;
  /** Entities per page; the default is that of the endpoint. */
  limit?: number;
  /** Of a list of orders. */
  filter?: OrderFilter;
  /** The list is cached as a signed-in person sees it. */
  signedIn?: boolean;
}

/** A list's argument, with what the endpoint says of it. */
interface ListType extends PageArg {
  limit: number;
  kind: ListKind;
  /** Of the query that the server made, if it is another one. */
  queryOf: (searched?: string | null) => Query | undefined;
}

async function fetchPage<T extends Entity>(
  { kind, queryOf, filter, signedIn, limit }: ListType,
  path: string,
  send: Send,
  cursor?: string,
) {
  const startedAt = steadyNow();
  const params = new URLSearchParams({ limit: String(limit), ...(cursor && { cursor }) });
  const result = await send({
    url: `${path}${path.includes("?") ? "&" : "?"}${params}`,
    requiresSession: signedIn,
  });
  if (result.error) return { error: result.error };
  const items = Array.isArray(result.data) ? (result.data as T[]) : [];
  const { total = null, nextCursor = null, live, searched, leftOut } = result.meta ?? {};
  const topic = live?.topic ?? null;
  return {
    data: createList(items, {
      kind,
      filter,
      total,
      nextCursor,
      topic,
      position: live?.position ?? null,
      startedAt,
      query: queryOf(searched),
      ...(leftOut && leftOut.length > 0 && { leftOut }),
    }),
  };
}

/**
 * The definition of a list endpoint with live updates. A refetch loads as many pages as before, so that the screen keeps
 * its length; a call with a cursor appends that page. `queryOf` returns the filters and the order of a list, from the
 * query that the server made if it is another one; undefined for all entities, newest first. The kind may depend on the argument.
 */
export function liveList<T extends Entity, A extends PageArg>(
  kind: ListKind | ((arg: A) => ListKind),
  pathOf: (arg: A) => string,
  queryOf: (arg: A, searched?: string | null) => Query | undefined = () => undefined,
  pageSize = PAGE_SIZE,
) {
  const kindOf = typeof kind === "function" ? kind : () => kind;
  return {
    queryFn: async (
      arg: A,
      store: BaseQueryApi,
      _extra: object,
      send: Send,
    ): Promise<ListResult<LiveList<T>>> => {
      const path = pathOf(arg);
      const listType = {
        limit: pageSize,
        ...arg,
        kind: kindOf(arg),
        queryOf: (searched?: string | null) => queryOf(arg, searched),
      };
      if (arg.cursor) return fetchPage<T>(listType, path, send, arg.cursor);
      const count = cachedList(store)?.ids.length ?? 0;
      const first = await fetchPage<T>(listType, path, send);
      let list = first.data;
      while (list && list.nextCursor !== null && list.ids.length < count) {
        const page = await fetchPage<T>(listType, path, send, list.nextCursor);
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
      const cached = originalOf(draft);
      return arg.cursor ? appendPage(cached, fetched) : replaceList(cached, fetched);
    },
    forceRefetch: ({ currentArg, previousArg }: { currentArg: A | undefined; previousArg: A | undefined }) =>
      currentArg?.cursor !== undefined && currentArg.cursor !== previousArg?.cursor,
  };
}
