import { Skeleton } from "@/ui/Skeleton";

const ROWS = ["a", "b", "c", "d", "e", "f"];

/** The skeleton of a table while it loads; cards when it is narrow, as Table. */
export function TableSkeleton({ columns }: { columns: number }) {
  const cells = ROWS.slice(0, Math.min(columns, ROWS.length));
  return (
    <div className="@container">
      <div className="grid gap-3 @2xl:grid-cols-2 @4xl:grid-cols-1 @4xl:gap-0 @4xl:divide-y @4xl:divide-line @4xl:rounded-lg @4xl:border @4xl:border-line @4xl:bg-surface @4xl:pt-12 @4xl:shadow-card">
        {ROWS.map((row) => (
          <div
            key={row}
            className="grid min-h-22 auto-cols-fr items-center gap-4 rounded-lg border border-line bg-surface p-4 @4xl:grid-flow-col @4xl:rounded-none @4xl:border-0 @4xl:bg-transparent @4xl:px-5 @4xl:py-3"
          >
            {cells.map((cell) => (
              <Skeleton key={cell} className="h-5 w-3/4" />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
