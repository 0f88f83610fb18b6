import { skipToken } from "@reduxjs/toolkit/query";
import { useCallback, useState } from "react";
import { useDispatch } from "react-redux";
import type { Entity, LiveList } from "@/lib/live";
import { toApiError } from "./errors";
import type { ListEndpoint } from "./listEndpoint";
import { useLiveList } from "./live";
import type { PageArg } from "./liveList";
import { useRefetch } from "./useRefetch";

/** The list of a screen, and the state of its requests. */
export interface ListView<T extends Entity> {
  /** Undefined until the first result. */
  list: LiveList<T> | undefined;
  /** The first request is running. */
  isLoading: boolean;
  /** Any request is running. */
  isFetching: boolean;
  /** The message of the first request's error; when a later one fails, the list is kept. */
  error: string | undefined;
  retry: () => void;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  /** The message of the error of the next page. */
  moreError: string | undefined;
}

/** Loads a list, subscribes to its topic while the screen is open, and loads further pages. Null if there is no argument yet. */
export function useList<T extends Entity, A extends PageArg>(
  endpoint: ListEndpoint<T, A>,
  arg: A | null,
): ListView<T> {
  const { currentData: list, isFetching, error } = endpoint.useQuery(arg ?? skipToken);
  const dispatch = useDispatch();
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [moreError, setMoreError] = useState<string>();
  useLiveList(list);

  const loadMore = useCallback(async () => {
    if (!arg || !list?.nextCursor) return;
    setLoadingMore(true);
    const page = endpoint.initiate(
      { ...arg, cursor: list.nextCursor },
      { forceRefetch: true, subscribe: false },
    );
    const result = await (dispatch(page as never) as unknown as Promise<{ error?: unknown }>);
    setMoreError(result.error ? toApiError(result.error).message : undefined);
    setLoadingMore(false);
  }, [endpoint, arg, list?.nextCursor, dispatch]);

  return {
    list,
    isLoading: !list && !error,
    isFetching,
    error: !list && error ? toApiError(error).message : undefined,
    retry: useRefetch(endpoint, arg as A),
    hasMore: list?.nextCursor != null,
    isLoadingMore,
    loadMore: () => void loadMore(),
    moreError,
  };
}

/** The list's entities, newest first. */
export function rowsOf<T extends Entity>(list: LiveList<T> | undefined): T[] {
  return (list?.ids ?? []).map((id) => list?.entities[id] as T);
}
