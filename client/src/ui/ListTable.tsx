import type { ReactNode } from "react";
import * as t from "@/texts/loading";
import { Loading } from "@/ui/Loading";
import { LoadMore } from "@/ui/LoadMore";
import { RowShapes } from "@/ui/RowShapes";
import { EmptyState, ErrorState } from "@/ui/States";
import { type Column, Table } from "@/ui/Table";

/** How the loading of a list stands, for its screen. */
interface View {
  /** Undefined until the first answer. */
  list: { total: number } | undefined;
  isLoading: boolean;
  isFetching: boolean;
  /** Why the first answer did not come. */
  error: string | undefined;
  retry: () => void;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  /** Why the next page did not come. */
  moreError: string | undefined;
}

interface Props<Row> {
  view: View;
  /** What has come of the list, in its right order. */
  rows: Row[];
  /** The table's accessible name. */
  caption: string;
  columns: Column<Row>[];
  /** What an empty list says, and what is to be done about it. */
  empty: string;
  emptyHint: ReactNode;
}

/** A list as a table, in every state that a list can be in. */
export function ListTable<Row extends { _id: string }>(props: Props<Row>) {
  const { view, rows, caption, columns, empty, emptyHint } = props;
  return (
    <>
      {view.isLoading && (
        <Loading label={t.loading} onRetry={view.retry}>
          <RowShapes columns={columns.length} />
        </Loading>
      )}
      {view.error && <ErrorState message={view.error} onRetry={view.retry} busy={view.isFetching} />}
      {view.list && rows.length === 0 && <EmptyState title={empty}>{emptyHint}</EmptyState>}
      {rows.length > 0 && <Table caption={caption} columns={columns} rows={rows} rowKey={(row) => row._id} />}
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
    </>
  );
}
