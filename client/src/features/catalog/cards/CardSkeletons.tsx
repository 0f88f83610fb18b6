import { cx, Loading, Skeleton } from "@/ui";

const SLOTS = ["a", "b", "c", "d", "e", "f"];

interface Props {
  /** What is loading, for screen readers. */
  label: string;
  count: number;
  /** The shape of a card's photo, as classes. */
  photo?: string;
  /** A card's height below its photo, as a class. */
  below: string;
  /** Grid classes. */
  columns: string;
  /** Sends the request again. */
  onRetry?: () => void;
}

/** Skeletons of cards that load, of the size of the cards. */
export function CardSkeletons({ label, count, photo = "aspect-4/3", below, columns, onRetry }: Props) {
  return (
    <Loading label={label} onRetry={onRetry}>
      <div className={columns}>
        {SLOTS.slice(0, count).map((slot) => (
          <div key={slot} className="overflow-hidden rounded-md border border-line bg-surface">
            <Skeleton className={cx("rounded-none", photo)} />
            <div className={`grid content-start gap-3 p-3 ${below}`}>
              <Skeleton className="h-7 w-1/3" />
              <Skeleton className="h-5 w-2/3" />
            </div>
          </div>
        ))}
      </div>
    </Loading>
  );
}
