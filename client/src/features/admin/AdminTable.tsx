import type { ReactNode } from "react";
import { type ListView, rowsOf } from "@/api/useList";
import type { Entity } from "@/lib/live";
import { type Column, ListTable } from "@/ui";

interface Props<T extends Entity> {
  title: string;
  view: ListView<T>;
  columns: Column<T>[];
  /** What an empty list says, and what is to be done about it. */
  empty: string;
  emptyHint: ReactNode;
  /** What is to be known of the table, under its heading. */
  note?: string;
}

/** One of the admin's tables with its heading. */
export function AdminTable<T extends Entity>({ title, note, view, ...rest }: Props<T>) {
  return (
    <section aria-labelledby="admin-title" className="grid gap-5">
      <div className="grid gap-1">
        <h2 id="admin-title" className="font-bold text-2xl">
          {title}
        </h2>
        {/* Its end stays free for the table's button that shows new rows. */}
        {note && <p className="pe-24 text-muted text-sm">{note}</p>}
      </div>
      <ListTable view={view} rows={rowsOf(view.list)} caption={title} {...rest} />
    </section>
  );
}
