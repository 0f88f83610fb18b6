import { useCallback, useState } from "react";
import { useDispatch } from "react-redux";
import type { Entity } from "@/lib/live";
import { errorMessage } from "./errors";
import type { ListEndpoint } from "./listEndpoint";
import type { PageArg } from "./liveList";

/**
 * Loads the next page of a list, which is merged into the cached list. `load` resolves to the message of its error;
 * `error` is that of the last attempt, while the page that failed is still the next one.
 */
export function useNextPage<T extends Entity, A extends PageArg>(
  endpoint: ListEndpoint<T, A>,
  arg: A | null,
  nextCursor: string | null | undefined,
) {
  const dispatch = useDispatch();
  const [isLoading, setLoading] = useState(false);
  const [failure, setFailure] = useState<{ page: string; message: string }>();
  const page = arg && nextCursor ? JSON.stringify({ ...arg, cursor: nextCursor }) : null;
  const load = useCallback(async (): Promise<string | undefined> => {
    if (!arg || !nextCursor || page === null) return;
    setLoading(true);
    // The screen is subscribed to the list already.
    const query = endpoint.initiate({ ...arg, cursor: nextCursor }, { forceRefetch: true, subscribe: false });
    const result = await (dispatch(query as never) as unknown as Promise<{ error?: unknown }>);
    const message = result.error ? errorMessage(result.error) : undefined;
    setFailure(message === undefined ? undefined : { page, message });
    setLoading(false);
    return message;
  }, [endpoint, arg, nextCursor, page, dispatch]);
  return { load, isLoading, error: failure?.page === page ? failure?.message : undefined };
}
