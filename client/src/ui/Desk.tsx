import type { Elements } from "@/ui/Elements";
import { ErrorState } from "@/ui/ErrorState";
import { LiveDot } from "@/ui/LiveDot";

interface Props {
  title: string;
  /** The lists that it shows; the first error is shown with a button that loads again all that failed. */
  views: { error: string | undefined; isFetching: boolean; retry: () => void }[];
  /** A link to the next step. */
  action?: Elements;
  /** Where the money is, in one line: DeskNumbers. */
  numbers?: Elements;
  /** What there is to do now. It is the last part, so that a new row moves nothing. */
  children: Elements;
}

/** The layout of the dashboard of each role: a title, where the money is, and what there is to do now. */
export function Desk({ title, views, action, numbers, children }: Props) {
  const failed = views.filter(({ error }) => error !== undefined);
  const [first] = failed;
  const retry = () => {
    for (const view of failed) view.retry();
  };
  return (
    <section aria-labelledby="desk" className="grid gap-5">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-3">
        <h2 id="desk" className="flex items-center gap-3 font-bold text-2xl">
          <span>{title}</span>
          <LiveDot className="text-ok" />
        </h2>
        {action}
      </div>
      {first ? (
        <ErrorState message={first.error ?? ""} onRetry={retry} busy={first.isFetching} />
      ) : (
        <>
          {numbers && <dl className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">{numbers}</dl>}
          {children}
        </>
      )}
    </section>
  );
}

interface NumberProps {
  label: string;
  /** Undefined while loading; its place has the same height then. */
  value: string | undefined;
}

/** A number with its label. */
export function DeskNumber({ label, value }: NumberProps) {
  return (
    <div className="grid border-line border-s-2 ps-3">
      <dt className="truncate text-muted text-sm">{label}</dt>
      <dd className="min-h-7 font-bold text-lg tabular-nums">{value}</dd>
    </div>
  );
}
