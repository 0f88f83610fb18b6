import { useEffect, useRef } from "react";
import * as t from "@/texts/ui";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";

interface Props {
  /** How many are shown, and of how many if that is known. */
  shown: number;
  total?: number;
  hasMore: boolean;
  busy: boolean;
  /** The last request failed: then only the button tries again. */
  failed?: boolean;
  /** Loads the next page when the user scrolls near the end. */
  endless?: boolean;
  onMore: () => void;
}

/** The distance to the end at which the next page is loaded. */
const NEAR = "900px";

/** "Showing 30 of 112" and a button for the next page. */
export function LoadMore({ shown, total, hasMore, busy, failed = false, endless = false, onMore }: Props) {
  const end = useRef<HTMLDivElement>(null);
  const loadNext = useRef(onMore);
  useEffect(() => {
    loadNext.current = onMore;
  });
  const isWatching = endless && hasMore && !busy && !failed && typeof IntersectionObserver === "function";
  useEffect(() => {
    if (!isWatching || !end.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) loadNext.current();
      },
      { rootMargin: NEAR },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isWatching]);

  return (
    // The content below an endless list stays hidden until the last page, so that no further page moves it.
    <div
      ref={end}
      className={cx("grid content-start justify-items-center gap-3 py-6", endless && hasMore && "min-h-dvh")}
    >
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
