import type { ReactNode } from "react";
import { type ListView, rowsOf } from "@/api/useList";
import type { Entity } from "@/lib/live";
import { type Column, EmptyState, ErrorState, LoadMore, Spinner, Table } from "@/ui";

interface Props<T extends Entity> {
  title: string;
  view: ListView<T>;
  columns: Column<T>[];
  /** What an empty list says, and what is to be done about it. */
  empty: string;
  emptyHint: ReactNode;
}

/** One of the admin's tables with its heading, in every state that a list can be in. */
export function AdminTable<T extends Entity>({ title, view, columns, empty, emptyHint }: Props<T>) {
  const rows = rowsOf(view.list);
  return (
    <section aria-labelledby="admin-title" className="grid gap-5">
      <h2 id="admin-title" className="font-bold text-2xl">
        {title}
      </h2>
      {view.isLoading && <Spinner />}
      {view.error && <ErrorState message={view.error} onRetry={view.retry} busy={view.isFetching} />}
      {view.list && rows.length === 0 && <EmptyState title={empty}>{emptyHint}</EmptyState>}
      {rows.length > 0 && <Table caption={title} columns={columns} rows={rows} rowKey={(row) => row._id} />}
      {view.hasMore && (
        <LoadMore
          shown={rows.length}
          total={view.list?.total}
          hasMore
          busy={view.isLoadingMore}
          onMore={view.loadMore}
        />
      )}
      {view.moreError && <ErrorState message={view.moreError} onRetry={view.loadMore} />}
    </section>
  );
}
