import type { Elements } from "@/ui/Elements";
import { ErrorState } from "@/ui/ErrorState";
import { LiveDot } from "@/ui/LiveDot";

interface Props {
  title: string;
  /** The lists that it shows; the first error is shown with a retry button. */
  views: { error: string | undefined; isFetching: boolean; retry: () => void }[];
  /** A link to the next step. */
  action?: Elements;
  /** What there is to do now. */
  children: Elements;
  /** Statistics, below: StatCards. */
  numbers?: Elements;
}

/** The layout of the dashboard of each role: a title, what there is to do now, and statistics. */
export function Desk({ title, views, action, children, numbers }: Props) {
  const failed = views.find(({ error }) => error !== undefined);
  return (
    <section aria-labelledby="desk" className="grid gap-5">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-3">
        <h2 id="desk" className="flex items-center gap-3 font-bold text-2xl">
          <span>{title}</span>
          <LiveDot className="text-ok" />
        </h2>
        {action}
      </div>
      {failed ? (
        <ErrorState message={failed.error ?? ""} onRetry={failed.retry} busy={failed.isFetching} />
      ) : (
        <>
          {children}
          {numbers && <dl className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">{numbers}</dl>}
        </>
      )}
    </section>
  );
}
