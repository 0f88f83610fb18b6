import { useEffect } from "react";
import type { Entity } from "@/lib/live";
import type { ListView } from "./useList";

/** Loads all pages of a list: a sum and an order need every row. */
export function useWhole<T extends Entity>(view: ListView<T>): ListView<T> {
  const { hasMore, isLoadingMore, moreError, loadMore } = view;
  useEffect(() => {
    if (hasMore && !isLoadingMore && !moreError) loadMore();
  }, [hasMore, isLoadingMore, moreError, loadMore]);
  if (!hasMore) return view;
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
