import type { ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import { api } from "./api";
import type { ThunkExtra } from "./baseQuery";
import type { ApiError } from "./errors";

interface Root {
  api: ReturnType<typeof api.reducer>;
}

/** The part of an endpoint that is called here. */
interface RetryableEndpoint {
  initiate: (arg: unknown, options: { forceRefetch: true; subscribe: false }) => UnknownAction;
}

/**
 * Ends the delays of failed queries, and repeats the queries that did not reach the server. Dispatched when the server
 * can be reached again.
 */
export const retryFailedQueries =
  () =>
  (
    dispatch: ThunkDispatch<Root, ThunkExtra, UnknownAction>,
    getState: () => Root,
    extra: ThunkExtra,
  ): void => {
    extra.requestBackoff.reset();
    for (const entry of Object.values(getState().api.queries)) {
      if (entry?.status !== "rejected") continue;
      const { status } = (entry.error ?? {}) as Partial<ApiError>;
      if (status !== 0 && status !== 503) continue;
      const endpoint = (api.endpoints as Record<string, RetryableEndpoint>)[entry.endpointName ?? ""];
      if (endpoint) dispatch(endpoint.initiate(entry.originalArgs, { forceRefetch: true, subscribe: false }));
    }
  };
