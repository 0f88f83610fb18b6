import type { ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import { api } from "./api";
import type { CallExtra } from "./baseQuery";
import type { ApiError } from "./errors";

interface Root {
  api: ReturnType<typeof api.reducer>;
}

/** What of an endpoint asks it again. */
interface Asked {
  initiate: (arg: unknown, options: { forceRefetch: true; subscribe: false }) => UnknownAction;
}

/**
 * The server is within reach again: ends the pauses of calls that failed, and asks again for whatever did not come
 * because it was out of reach.
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
