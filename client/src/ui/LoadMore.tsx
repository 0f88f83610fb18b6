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
  /** The last try did not succeed: then only the button tries again. */
  failed?: boolean;
  /** Asks for the next page by itself as one nears the end. */
  endless?: boolean;
  onMore: () => void;
}

/** How near: the next page is asked for while some rows are still to come. */
const NEAR = "900px";

/** "Showing 30 of 112" and a button for the next page. */
export function LoadMore({ shown, total, hasMore, busy, failed = false, endless = false, onMore }: Props) {
  const end = useRef<HTMLDivElement>(null);
  const ask = useRef(onMore);
  useEffect(() => {
    ask.current = onMore;
  });
  const waits = endless && hasMore && !busy && !failed && typeof IntersectionObserver === "function";
  useEffect(() => {
    if (!waits || !end.current) return;
    const seen = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) ask.current();
      },
      { rootMargin: NEAR },
    );
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [waits]);

  return (
    // What stands under an endless list is out of sight until its end is here, so that no page pushes it away.
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
