import { useCallback, useState } from "react";
import { useDispatch } from "react-redux";
import type { Entity } from "@/lib/live";
import { errorMessage } from "./errors";
import type { ListEndpoint } from "./listEndpoint";
import type { PageArg } from "./liveList";

/**
 * Loads the next page of a list, which is merged into the cached list. `load` resolves to the message of its error;
 * `error` is that of the last attempt.
 */
export function useNextPage<T extends Entity, A extends PageArg>(
  endpoint: ListEndpoint<T, A>,
  arg: A | null,
  nextCursor: string | null | undefined,
) {
  const dispatch = useDispatch();
  const [isLoading, setLoading] = useState(false);
  const [error, setError] = useState<string>();
  const load = useCallback(async (): Promise<string | undefined> => {
    if (!arg || !nextCursor) return;
    setLoading(true);
    // The screen is subscribed to the list already.
    const page = endpoint.initiate({ ...arg, cursor: nextCursor }, { forceRefetch: true, subscribe: false });
    const result = await (dispatch(page as never) as unknown as Promise<{ error?: unknown }>);
    const message = result.error ? errorMessage(result.error) : undefined;
    setError(message);
    setLoading(false);
    return message;
  }, [endpoint, arg, nextCursor, dispatch]);
  return { load, isLoading, error };
}
