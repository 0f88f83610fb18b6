import type { ReactNode } from "react";
import { Button } from "@/ui/Button";
import { useStill } from "@/ui/useStill";

/** One column: its header words and how it shows a row. */
export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
}

interface Props<Row> {
  /** The table's accessible name. */
  caption: string;
  columns: Column<Row>[];
  /** In their right order. One that comes while the table is shown is put last, see StillGrid. */
  rows: Row[];
  rowKey: (row: Row) => string;
}

const cellLook =
  "max-md:grid max-md:grid-cols-[6.5rem_1fr] max-md:items-center max-md:gap-3 max-md:py-1.5 md:px-4 md:py-3";

/**
 * A real table that becomes a stack of cards on a phone. The roles are written out because browsers
 * drop a table's meaning once CSS changes its display; the header words then stand before each value.
 */
export function Table<Row>({ caption, columns, rows, rowKey }: Props<Row>) {
  const { shown, late, tidy } = useStill(rows.map(rowKey));
  const byKey = new Map(rows.map((row) => [rowKey(row), row]));
  const still = shown.flatMap((key) => byKey.get(key) ?? []);
  return (
    <div className="relative rounded-lg border border-line bg-surface shadow-card">
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
          <tr role="row" className="border-line border-b text-muted text-sm">
            {columns.map((column) => (
              <th
                key={column.header}
                role="columnheader"
                scope="col"
                className="px-4 py-3 font-semibold first-letter:uppercase"
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="divide-y divide-line max-md:block">
          {still.map((row) => (
            <tr key={rowKey(row)} role="row" className="max-md:block max-md:p-4">
              {columns.map((column) => (
                <td key={column.header} role="cell" className={cellLook}>
                  <span
                    aria-hidden="true"
                    className="inline-block text-muted text-sm first-letter:uppercase md:hidden"
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
