import type { ReactNode } from "react";
import { ErrorState, LiveDot } from "@/ui";
import type { Elements } from "@/ui/Elements";

interface Props {
  title: string;
  /** The lists of the statistics; the first error is shown with a retry button. */
  views: { error: string | undefined; isFetching: boolean; retry: () => void }[];
  stats: ReactNode;
  /** A link to the next step. */
  action?: Elements;
  children: Elements;
}

/** The layout of the three overviews: a title, four statistics and a to-do list. */
export function OverviewFrame({ title, views, stats, action, children }: Props) {
  const failed = views.find(({ error }) => error !== undefined);
  return (
    <section aria-labelledby="overview" className="grid gap-5">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-3">
        <h2 id="overview" className="flex items-center gap-3 font-bold text-2xl">
          <span>{title}</span>
          <LiveDot className="text-ok" />
        </h2>
        {action}
      </div>
      {failed ? (
        <ErrorState message={failed.error ?? ""} onRetry={failed.retry} busy={failed.isFetching} />
      ) : (
        <>
          <dl className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">{stats}</dl>
          {children}
        </>
      )}
    </section>
  );
}
