import type { ReactNode } from "react";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { useStill } from "@/ui/useStill";

/** One column: its header words and how it shows a row. */
export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** On a phone's card: its picture, or its title beside that. The others stand below with their header words. */
  stands?: keyof typeof places;
}

interface Props<Row> {
  /** The table's accessible name. */
  caption: string;
  columns: Column<Row>[];
  /** In their right order. One that comes while the table is shown is put last, see StillGrid. */
  rows: Row[];
  rowKey: (row: Row) => string;
}

/** Where a cell stands on a phone's card, two columns wide. */
const places = {
  picture: "max-md:col-start-1",
  title: "max-md:self-center max-md:text-lg max-md:first:col-span-2",
};
const below =
  "max-md:col-span-2 max-md:grid max-md:grid-cols-[7rem_1fr] max-md:items-center max-md:gap-x-3 max-md:py-1";

/**
 * A real table that becomes a stack of cards on a phone. The roles are written out because browsers
 * drop a table's meaning once CSS changes its display; the header words then stand before each value.
 */
export function Table<Row>({ caption, columns, rows, rowKey }: Props<Row>) {
  const { shown, late, tidy } = useStill(rows.map(rowKey));
  const byKey = new Map(rows.map((row) => [rowKey(row), row]));
  const still = shown.flatMap((key) => byKey.get(key) ?? []);
  return (
    <div className="relative md:rounded-lg md:border md:border-line md:bg-surface md:shadow-card">
      {late > 0 && (
        // Beside the heading above, where it moves nothing.
        <Button
          size="sm"
          variant="secondary"
          className="-top-12 absolute right-0"
          aria-label={`Show ${late} new first`}
          onClick={tidy}
        >
          <span className="max-sm:hidden">Show {late} new first</span>
          <span className="sm:hidden">{late} new</span>
        </Button>
      )}
      <table role="table" className="w-full text-left max-md:block">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="max-md:sr-only">
          <tr role="row" className="border-line border-b text-muted text-xs">
            {columns.map((column) => (
              <th
                key={column.header}
                role="columnheader"
                scope="col"
                className="px-4 py-3.5 font-semibold first:ps-5 last:pe-5 first-letter:uppercase"
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-md:grid max-md:gap-3 md:divide-y md:divide-line">
          {still.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              className="transition-colors max-md:grid max-md:grid-cols-[auto_1fr] max-md:gap-x-4 max-md:gap-y-1 max-md:rounded-lg max-md:border max-md:border-line max-md:bg-surface max-md:p-4 max-md:shadow-card md:hover:bg-ground"
            >
              {columns.map((column) => (
                <td
                  key={column.header}
                  role="cell"
                  className={cx(
                    "md:px-4 md:py-3 md:last:pe-5 md:first:ps-5",
                    column.stands ? places[column.stands] : below,
                  )}
                >
                  <span
                    aria-hidden="true"
                    className={cx(
                      "inline-block text-muted text-sm first-letter:uppercase md:hidden",
                      column.stands && "max-md:hidden",
                    )}
                  >
                    {column.header}
                  </span>
                  <div className="min-w-0">{column.cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
