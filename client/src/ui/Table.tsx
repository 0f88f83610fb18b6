import type { ReactNode } from "react";
import * as t from "@/texts/ui";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { useStableOrder } from "@/ui/useStableOrder";

/** One column: its header, and how it renders a row. */
export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /**
   * The cell's role when the row is a card: its picture, its title, or a button that needs no header beside it.
   * Other cells are listed below with their headers.
   */
  cardSlot?: keyof typeof cardSlots;
  /** The width class in the table; columns without one share the rest. Content never widens a column. */
  width?: string;
}

interface Props<Row> {
  /** The table's accessible name. */
  caption: string;
  columns: Column<Row>[];
  /** In their current order. A row that is added while the table is shown is appended, see StableGrid. */
  rows: Row[];
  rowKey: (row: Row) => string;
}

/** Classes of a link whose text is the name of what its row is about. */
export const rowLinkClass = "inline-block py-1 font-bold underline-offset-4 hover:text-brand hover:underline";

/** Classes of a cell in a card, which has two columns. */
const cardSlots = {
  picture: "@max-4xl:col-start-1",
  title: "@max-4xl:self-center @max-4xl:text-lg @max-4xl:first:col-span-2",
  action: "@max-4xl:col-span-2 @max-4xl:mt-auto @max-4xl:pt-2",
};
const listedCell =
  "@max-4xl:col-span-2 @max-4xl:grid @max-4xl:grid-cols-[5.75rem_1fr] @max-4xl:items-center @max-4xl:gap-x-3 @max-4xl:py-1";

/**
 * A table that becomes cards when it is narrow (a container query). The roles are written out because browsers drop
 * a table's semantics once CSS changes its display; in a card each header is repeated before its value.
 */
export function Table<Row>({ caption, columns, rows, rowKey }: Props<Row>) {
  const { orderedKeys, newCount, reset, container } = useStableOrder(rows.map(rowKey));
  const byKey = new Map(rows.map((row) => [rowKey(row), row]));
  const orderedRows = orderedKeys.flatMap((key) => byKey.get(key) ?? []);
  return (
    <div ref={container} tabIndex={-1} className="@container relative outline-none">
      {newCount > 0 && <ShowNewButton count={newCount} onClick={reset} />}
      <div className="@4xl:overflow-hidden @4xl:rounded-lg @4xl:border @4xl:border-line @4xl:bg-surface @4xl:shadow-card">
        <table role="table" className="w-full text-start @4xl:table-fixed @max-4xl:block">
          <caption className="sr-only">{caption}</caption>
          <thead role="rowgroup" className="@max-4xl:sr-only">
            <tr role="row" className="border-line border-b text-muted text-xs">
              {columns.map((column) => (
                <th
                  key={column.header}
                  role="columnheader"
                  scope="col"
                  className={cx(
                    "px-3 py-3.5 text-start font-semibold first:ps-5 last:pe-5 first-letter:uppercase",
                    column.width,
                  )}
                >
                  {column.header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody
            role="rowgroup"
            className="@max-4xl:grid @max-4xl:gap-3 @2xl:@max-4xl:grid-cols-2 @4xl:divide-y @4xl:divide-line"
          >
            {orderedRows.map((row) => (
              <tr
                key={rowKey(row)}
                role="row"
                // Gets the focus if a pushed event removes the focused control or the row before, see useKeptFocus.
                tabIndex={-1}
                className="-outline-offset-3 transition-colors @max-4xl:grid @max-4xl:grid-cols-[auto_1fr] @max-4xl:gap-x-4 @max-4xl:gap-y-1 @max-4xl:rounded-lg @max-4xl:border @max-4xl:border-line @max-4xl:bg-surface @max-4xl:p-4 @max-4xl:shadow-card @4xl:hover:bg-ground"
              >
                {columns.map((column) => (
                  <Cell key={column.header} column={column} row={row} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** Positioned beside the heading above the table, where it moves nothing. */
function ShowNewButton({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    <Button
      size="sm"
      variant="secondary"
      className="-top-12 end-0 absolute"
      aria-label={t.showNew(count)}
      onClick={onClick}
    >
      <span className="max-sm:hidden">{t.showNew(count)}</span>
      <span className="sm:hidden">{t.showNewShort(count)}</span>
    </Button>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { header, cardSlot, cell } = column;
  return (
    <td
      role="cell"
      className={cx(
        "@4xl:px-3 @4xl:py-3 @4xl:last:pe-5 @4xl:first:ps-5",
        cardSlot ? cardSlots[cardSlot] : listedCell,
      )}
    >
      <span
        aria-hidden="true"
        className={cx(
          "inline-block text-muted text-sm first-letter:uppercase @4xl:hidden",
          cardSlot && "@max-4xl:hidden",
        )}
      >
        {header}
      </span>
      <div className="min-w-0">{cell(row)}</div>
    </td>
  );
}
