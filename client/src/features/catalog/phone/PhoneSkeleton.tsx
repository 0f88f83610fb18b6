import * as t from "@/texts/catalog";
import { Loading, Skeleton } from "@/ui";

/** The shape of a phone's page while it loads: as large as the page will be. */
export function PhoneSkeleton({ onRetry }: { onRetry: () => void }) {
  return (
    <Loading label={t.loadingPhone} onRetry={onRetry}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]">
        <Skeleton className="aspect-4/3 rounded-xl" />
        <div className="grid gap-6">
          <div className="grid gap-2">
            <Skeleton className="h-11 w-1/3" />
            <Skeleton className="h-10 w-4/5" />
          </div>
          <Skeleton className="h-11 w-1/2" />
          <Skeleton className="h-11" />
          <Skeleton className="h-36" />
          <Skeleton className="h-40" />
        </div>
      </div>
    </Loading>
  );
}
