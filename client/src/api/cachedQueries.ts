import type { ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import type { Api, QueryDefinition } from "@reduxjs/toolkit/query";
import { type ApiRoot, api } from "./api";
import type { BaseQuery } from "./baseQuery";
import type { ApiError } from "./errors";

type AnyQuery = QueryDefinition<unknown, BaseQuery, string, unknown>;

/** The API with all injected queries by their names, for code that repeats whatever is cached. */
const anyApi = api as unknown as Api<BaseQuery, Record<string, AnyQuery>, "api", string>;

/** Dispatch that takes the functions of this file. */
export type ApiDispatch = ThunkDispatch<ApiRoot, unknown, UnknownAction>;

/** Fetches a query again. The components that show it are subscribed to it already. */
export const refetchQuery =
  (endpointName: string, arg: unknown) =>
  (dispatch: ApiDispatch): Promise<{ isError: boolean; error?: unknown }> | undefined => {
    const query = anyApi.endpoints[endpointName]?.initiate(arg, { forceRefetch: true, subscribe: false });
    return query && dispatch(query);
  };

/** The running request of a query, if there is one. */
export const runningQuery =
  (endpointName: string, arg: unknown) =>
  (dispatch: ApiDispatch): (Promise<unknown> & { abort(): void }) | undefined =>
    dispatch(anyApi.util.getRunningQueryThunk(endpointName, arg));

/**
 * Repeats the queries that did not reach the server, or that it could not answer. Dispatched when the live connection
 * is back. RTK Query's refetchOnReconnect would also repeat the others, which the live events keep up to date.
 */
export const retryFailedQueries =
  () =>
  (dispatch: ApiDispatch, getState: () => ApiRoot): void => {
    for (const entry of Object.values(getState().api.queries)) {
      if (entry?.status !== "rejected") continue;
      const { status } = (entry.error ?? {}) as Partial<ApiError>;
      if (status === 0 || status === 503) void dispatch(refetchQuery(entry.endpointName, entry.originalArgs));
    }
  };
