import { GRID, Loading, Skeleton } from "@/ui";

const PLACES = ["a", "b", "c", "d", "e", "f"];

interface Props {
  /** What is loading, for screen readers. */
  label: string;
  count: number;
  /** A card's height below its photograph, as a class. */
  below: string;
  /** Grid classes. */
  columns?: string;
  /** Sends the request again. */
  onRetry?: () => void;
}

/** Skeletons of cards that load, of the size of the cards. */
export function CardSkeletons({ label, count, below, columns = GRID, onRetry }: Props) {
  return (
    <Loading label={label} onRetry={onRetry}>
      <div className={columns}>
        {PLACES.slice(0, count).map((place) => (
          <div key={place} className="overflow-hidden rounded-lg border border-line bg-surface">
            <Skeleton className="aspect-4/3 rounded-none" />
            <div className={`grid content-start gap-3 p-5 ${below}`}>
              <Skeleton className="h-6 w-2/3" />
              <Skeleton className="h-8 w-1/3" />
            </div>
          </div>
        ))}
      </div>
    </Loading>
  );
}
