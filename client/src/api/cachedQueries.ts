import type { ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import type { Api, QueryDefinition } from "@reduxjs/toolkit/query";
import { type ApiRoot, api } from "./api";
import type { BaseQuery } from "./baseQuery";

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
