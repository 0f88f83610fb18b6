import { useEffect } from "react";
import type { Entity } from "@/lib/live";
import type { ListView } from "./useList";

/** Loads all pages of a list if they are needed: totals, sorting and searching need every row. */
export function useAllPages<T extends Entity>(view: ListView<T>, isNeeded = true): ListView<T> {
  const { hasMore, isLoadingMore, moreError, loadMore } = view;
  useEffect(() => {
    if (isNeeded && hasMore && !isLoadingMore && !moreError) loadMore();
  }, [isNeeded, hasMore, isLoadingMore, moreError, loadMore]);
  if (!isNeeded || !hasMore) return view;
  // Until all pages are loaded, the view has no list.
  return {
    ...view,
    list: undefined,
    isLoading: !moreError,
    error: moreError,
    isFetching: isLoadingMore,
    retry: moreError ? loadMore : view.retry,
    hasMore: false,
    moreError: undefined,
  };
}
