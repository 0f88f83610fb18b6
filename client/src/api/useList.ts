import { skipToken } from "@reduxjs/toolkit/query";
import type { Entity, LiveList } from "@/lib/live";
import { toApiError } from "./errors";
import type { ListEndpoint } from "./listEndpoint";
import { useLiveList } from "./live";
import type { PageArg } from "./liveList";
import { useNextPage } from "./useNextPage";
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
  const {
    load: loadMore,
    isLoading: isLoadingMore,
    error: moreError,
  } = useNextPage(endpoint, arg, list?.nextCursor);
  useLiveList(list);

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
