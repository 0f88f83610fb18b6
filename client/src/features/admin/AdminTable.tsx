import type { ReactNode } from "react";
import { type ListView, rowsOf } from "@/api/useList";
import type { Entity } from "@/lib/live";
import { type Column, cx, ListTable, useKeptFocus } from "@/ui";
import type { Elements } from "@/ui/Elements";

interface Props<T extends Entity> {
  title: string;
  view: ListView<T>;
  /** The rows to show, where they are not all that the list has. */
  rows?: T[];
  /** The filter of the rows; the table is rebuilt when it changes. */
  choice?: string;
  /** The controls that filter the rows, above the table. */
  controls?: Elements;
  columns: Column<T>[];
  /** The message of an empty list, and what the admin can do. */
  empty: string;
  emptyHint: ReactNode;
  /** A note under the heading. */
  note?: string;
}

/** One of the admin's tables with its heading. */
export function AdminTable<T extends Entity>(props: Props<T>) {
  const { title, note, view, choice, controls, rows = rowsOf(view.list), ...rest } = props;
  const keptFocus = useKeptFocus<HTMLElement>();
  return (
    <section aria-labelledby="admin-title" {...keptFocus} className="grid gap-5">
      <div className="grid gap-1">
        <h2 id="admin-title" tabIndex={-1} className="font-bold text-2xl">
          {title}
        </h2>
        {/* Without controls below, its end stays free for the table's button that shows new rows. */}
        {note && <p className={cx("text-muted text-sm", !controls && "pe-24")}>{note}</p>}
      </div>
      {controls}
      <ListTable key={choice} view={view} rows={rows} caption={title} {...rest} />
    </section>
  );
}
