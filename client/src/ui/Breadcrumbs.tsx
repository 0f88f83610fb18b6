import { Children, type ReactNode } from "react";
import * as t from "@/texts/ui";

interface Props {
  /** Links to the parent screens, the topmost first. */
  children: ReactNode;
  /** The name of the current screen; undefined until it is loaded. */
  current: string | undefined;
}

/** The path from Home to the current screen, in one line of a fixed height. The last name is truncated first. */
export function Breadcrumbs({ children, current }: Props) {
  return (
    <nav aria-label={t.breadcrumb} className="h-6 text-muted text-sm/6">
      <ol className="flex items-center">
        {Children.toArray(children).map((link, level) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a level keeps its place
          <li key={level} className="flex max-w-40 shrink-0 items-center">
            <span className="truncate underline-offset-4 hover:text-ink hover:underline">{link}</span>
            <span aria-hidden="true" className="px-2">
              ›
            </span>
          </li>
        ))}
        <li aria-current="page" className="min-w-0 truncate font-semibold text-ink">
          {current}
        </li>
      </ol>
    </nav>
  );
}
