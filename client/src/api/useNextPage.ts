import { useCallback, useState } from "react";
import { useDispatch } from "react-redux";
import type { Entity } from "@/lib/live";
import { type ApiDispatch, refetchQuery } from "./cachedQueries";
import { errorMessage } from "./errors";
import type { ListEndpoint } from "./listEndpoint";
import type { PageArg } from "./liveList";

/**
 * Loads the next page of a list, which is merged into the cached list. `load` resolves to the message of its error;
 * `error` is that of the last attempt, while the page that failed is still the next one.
 */
export function useNextPage<T extends Entity, A extends PageArg>(
  { name }: ListEndpoint<T, A>,
  arg: A | null,
  nextCursor: string | null | undefined,
) {
  const dispatch = useDispatch<ApiDispatch>();
  const [isLoading, setLoading] = useState(false);
  const [failure, setFailure] = useState<{ page: string; message: string }>();
  const page = arg && nextCursor ? JSON.stringify({ ...arg, cursor: nextCursor }) : null;
  const load = useCallback(async (): Promise<string | undefined> => {
    if (!arg || !nextCursor || page === null) return;
    setLoading(true);
    const result = await dispatch(refetchQuery(name, { ...arg, cursor: nextCursor }));
    const message = result?.error ? errorMessage(result.error) : undefined;
    setFailure(message === undefined ? undefined : { page, message });
    setLoading(false);
    return message;
  }, [name, arg, nextCursor, page, dispatch]);
  return { load, isLoading, error: failure?.page === page ? failure?.message : undefined };
}
