import type { ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import { api } from "./api";
import type { CallExtra } from "./baseQuery";
import type { ApiError } from "./errors";

interface Root {
  api: ReturnType<typeof api.reducer>;
}

/** The part of an endpoint that is used here. */
interface Asked {
  initiate: (arg: unknown, options: { forceRefetch: true; subscribe: false }) => UnknownAction;
}

/**
 * For when the server can be reached again: ends the pauses of failed calls, and repeats the queries that did not
 * reach it.
 */
export const retryUnreached =
  () =>
  (dispatch: ThunkDispatch<Root, CallExtra, UnknownAction>, getState: () => Root, extra: CallExtra): void => {
    extra.gate.reset();
    for (const entry of Object.values(getState().api.queries)) {
      if (entry?.status !== "rejected") continue;
      const { status } = (entry.error ?? {}) as Partial<ApiError>;
      if (status !== 0 && status !== 503) continue;
      const endpoint = (api.endpoints as Record<string, Asked>)[entry.endpointName ?? ""];
      if (endpoint) dispatch(endpoint.initiate(entry.originalArgs, { forceRefetch: true, subscribe: false }));
    }
  };
