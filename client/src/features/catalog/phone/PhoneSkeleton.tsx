import * as t from "@/texts/catalog";
import { Loading, Skeleton } from "@/ui";

/** The shape of a phone's page while it loads: as large as the page will be. */
export function PhoneSkeleton({ onRetry }: { onRetry: () => void }) {
  return (
    <Loading label={t.loadingPhone} onRetry={onRetry}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-12 gap-y-6 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]">
        <Skeleton className="aspect-4/3 w-full lg:max-h-[calc(100vh-13.5rem)]" />
        <div className="grid gap-5">
          <div className="grid gap-1">
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
