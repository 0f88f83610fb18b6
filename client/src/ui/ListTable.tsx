import type { ReactNode } from "react";
import * as t from "@/texts/loading";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorState } from "@/ui/ErrorState";
import { Loading } from "@/ui/Loading";
import { NextPage, type PagedView } from "@/ui/NextPage";
import { type Column, Table } from "@/ui/Table";
import { TableSkeleton } from "@/ui/TableSkeleton";

/** The loading state of a list, see useList in api/. */
interface View extends PagedView {
  isLoading: boolean;
  isFetching: boolean;
  /** Why the first page failed. */
  error: string | undefined;
  retry: () => void;
}

interface Props<Row> {
  view: View;
  /** The loaded rows, in their current order. */
  rows: Row[];
  /** The table's accessible name. */
  caption: string;
  columns: Column<Row>[];
  /** Rows of the list that are shown below the others, under a heading. */
  below?: { title: string; rows: Row[] };
  /** The message of an empty list, and what the user can do; left out if the list is not shown while it is empty. */
  empty?: string;
  emptyHint?: ReactNode;
}

/** A list as a table, with its loading, error, empty and next-page states. */
export function ListTable<Row extends { _id: string }>(props: Props<Row>) {
  const { view, rows, caption, columns, below, empty, emptyHint } = props;
  const count = rows.length + (below?.rows.length ?? 0);
  return (
    <>
      {view.isLoading && (
        <Loading label={t.loading} onRetry={view.retry}>
          <TableSkeleton columns={columns.length} />
        </Loading>
      )}
      {view.error && <ErrorState message={view.error} onRetry={view.retry} busy={view.isFetching} />}
      {view.list && count === 0 && empty && <EmptyState title={empty}>{emptyHint}</EmptyState>}
      {rows.length > 0 && <Table caption={caption} columns={columns} rows={rows} rowKey={(row) => row._id} />}
      {below && below.rows.length > 0 && (
        <div className="mt-3 grid gap-3">
          <h3 className="font-bold text-lg">{below.title}</h3>
          <Table caption={below.title} columns={columns} rows={below.rows} rowKey={(row) => row._id} />
        </div>
      )}
      <NextPage view={view} shown={count} />
    </>
  );
}
