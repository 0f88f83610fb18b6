import type { ApiRoot } from "./api";
import { type ApiDispatch, refetchQuery } from "./cachedQueries";
import type { ApiError } from "./errors";

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
