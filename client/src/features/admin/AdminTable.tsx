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
}

/** One of the admin's tables with its heading. */
export function AdminTable<T extends Entity>({ title, view, ...rest }: Props<T>) {
  return (
    <section aria-labelledby="admin-title" className="grid gap-5">
      <h2 id="admin-title" className="font-bold text-2xl">
        {title}
      </h2>
      <ListTable view={view} rows={rowsOf(view.list)} caption={title} {...rest} />
    </section>
  );
}
