import { useEffect } from "react";
import type { Entity } from "@/lib/live";
import type { ListView } from "./useList";

/** Loads all pages of a list, once they are needed: a sum, an order and a search need every row. */
export function useWhole<T extends Entity>(view: ListView<T>, isNeeded = true): ListView<T> {
  const { hasMore, isLoadingMore, moreError, loadMore } = view;
  useEffect(() => {
    if (isNeeded && hasMore && !isLoadingMore && !moreError) loadMore();
  }, [isNeeded, hasMore, isLoadingMore, moreError, loadMore]);
  if (!isNeeded || !hasMore) return view;
  // Until then there is nothing to show but a failed page.
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
