import { GRID, Loading, Skeleton } from "@/ui";

const PLACES = ["a", "b", "c", "d", "e", "f"];

interface Props {
  /** What is loading, in words. */
  label: string;
  count: number;
  /** A card's height below its photograph, as a class. */
  below: string;
  /** How they stand beside each other, as classes. */
  columns?: string;
  /** Asks again when it takes long. */
  onRetry?: () => void;
}

/** The shapes of cards that are still loading, as large as the cards will be. */
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
