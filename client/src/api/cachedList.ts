import { original } from "@reduxjs/toolkit";
import type { BaseQueryApi, QueryReturnValue } from "@reduxjs/toolkit/query";
import { type Entity, isLiveList, type LiveList } from "@/lib/live";
import type { Call } from "./baseQuery";
import type { ApiError } from "./errors";
import type { ResponseMeta } from "./responseMeta";

// What liveList and liveEntity have in common.

export type ListResult<T> = QueryReturnValue<T, ApiError, ResponseMeta | undefined>;
/** The base query, as RTK Query passes it to a `queryFn`. */
export type Send = (call: Call) => PromiseLike<ListResult<unknown>> | ListResult<unknown>;

/** The cached value of the query that is running. */
export function cachedList<T extends Entity>(store: BaseQueryApi): LiveList<T> | undefined {
  const { api: cache } = store.getState() as {
    api: { queries: Record<string, { data?: unknown } | undefined> };
  };
  const data = cache.queries[store.queryCacheKey ?? ""]?.data;
  return isLiveList(data) ? (data as LiveList<T>) : undefined;
}

/** The list behind Immer's draft of it: the functions of lib/live compare references. */
export const originalOf = <T extends Entity>(draft: LiveList<T>): LiveList<T> =>
  (original(draft as object) as LiveList<T> | undefined) ?? draft;
