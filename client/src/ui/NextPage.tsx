import { ErrorState } from "@/ui/ErrorState";
import { LoadMore } from "@/ui/LoadMore";

/** The state of a list's further pages, see useList in api/. */
export interface PagedView {
  /** Undefined until the first response. */
  list: { total: number } | undefined;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  /** Why the next page failed. */
  moreError: string | undefined;
}

/** Loads the next page of a list that is `shown` rows long, and says why it could not be loaded. */
export function NextPage({ view, shown }: { view: PagedView; shown: number }) {
  return (
    <>
      {view.hasMore && (
        <LoadMore
          shown={shown}
          total={view.list?.total}
          hasMore
          busy={view.isLoadingMore}
          onMore={view.loadMore}
        />
      )}
      {view.moreError && <ErrorState message={view.moreError} onRetry={view.loadMore} />}
    </>
  );
}
