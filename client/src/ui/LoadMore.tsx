import * as t from "@/texts/ui";
import { Button } from "@/ui/Button";

interface Props {
  /** How many are shown, and of how many if that is known. */
  shown: number;
  total?: number;
  hasMore: boolean;
  busy: boolean;
  onMore: () => void;
}

/** "Showing 30 of 112" and a button for the next page. */
export function LoadMore({ shown, total, hasMore, busy, onMore }: Props) {
  return (
    <div className="grid justify-items-center gap-3 py-6">
      <p className="text-muted text-sm">
        {total === undefined ? t.showing(shown) : t.showingOf(shown, Math.max(total, shown))}
      </p>
      {hasMore && (
        <Button variant="secondary" busy={busy} onClick={onMore}>
          {t.loadMore}
        </Button>
      )}
    </div>
  );
}
