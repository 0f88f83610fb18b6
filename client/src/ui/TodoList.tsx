import type { ReactNode } from "react";
import * as t from "@/texts/dashboard";
import { useStableOrder } from "@/ui/useStableOrder";

interface Props<Row> {
  title: string;
  /** The rows that need an action, most urgent first. */
  todo: readonly Row[];
  /** All rows by _id; a row that is done stays while the screen is open. */
  all: Readonly<Record<string, Row>>;
  /** The message of an empty list; without one, nothing is shown then. */
  emptyMessage?: string;
  /** In place of a row that is not in `all` any more. */
  goneMessage?: string;
  /** The number of rows at first; later ones are added while the screen is open. */
  maxRows?: number;
  children: (row: Row) => ReactNode;
}

/**
 * A short to-do list. Live changes move no row: all rows have the same height, and a row that is done stays and shows its
 * new state.
 */
export function TodoList<Row extends { _id: string }>({
  title,
  todo,
  all,
  emptyMessage,
  goneMessage = t.noLongerAvailable,
  maxRows = 5,
  children,
}: Props<Row>) {
  const { orderedKeys } = useStableOrder(todo.slice(0, maxRows).map(({ _id }) => _id));
  if (!emptyMessage && orderedKeys.length === 0) return null;
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-surface p-4 shadow-card sm:p-5">
      {/* Beside the title, where neither a new row nor a wider number moves anything. */}
      <div className="flex items-baseline gap-3 pb-2">
        <h3 className="font-bold text-lg">{title}</h3>
        {todo.length > maxRows && <p className="text-muted text-sm">{t.more(todo.length - maxRows)}</p>}
      </div>
      {orderedKeys.length === 0 && <p className="py-4 text-muted">{emptyMessage}</p>}
      <ul className="divide-y divide-line">
        {orderedKeys.map((id) => {
          const row = all[id];
          return (
            <li key={id} className="flex h-24 items-center sm:h-20 gap-4 overflow-hidden">
              {row ? children(row) : <span className="text-muted">{goneMessage}</span>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** A link as the title of a row. */
export const titleLinkClass = "underline-offset-4 hover:underline";

interface TextProps {
  /** May be a link. */
  title: ReactNode;
  children: ReactNode;
}

/** The title and description of a row. */
export function TodoText({ title, children }: TextProps) {
  return (
    <span className="grid min-w-0 flex-1">
      <span className="line-clamp-2 font-semibold leading-tight">{title}</span>
      <span className="line-clamp-2 text-muted text-sm">{children}</span>
    </span>
  );
}
