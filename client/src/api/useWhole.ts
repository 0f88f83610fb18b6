import { useEffect } from "react";
import type { Entity } from "@/lib/live";
import type { ListView } from "./useList";

/** Loads all pages of a list: a sum, an order and a search need every row. `wanted` false leaves the list as it is. */
export function useWhole<T extends Entity>(view: ListView<T>, wanted = true): ListView<T> {
  const { hasMore, isLoadingMore, moreError, loadMore } = view;
  const isShort = wanted && hasMore;
  useEffect(() => {
    if (isShort && !isLoadingMore && !moreError) loadMore();
  }, [isShort, isLoadingMore, moreError, loadMore]);
  if (!isShort) return view;
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
