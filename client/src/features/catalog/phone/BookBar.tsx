import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Product } from "@/api/types";
import { dollars } from "@/texts/money";
import { cx } from "@/ui";

interface Props {
  product: Product;
  /** Book Now or its label, 2.75rem high. */
  children: ReactNode;
}

/**
 * On a narrow screen the button lies in a bar at the bottom of the window, beside the price, while its own place is
 * out of sight. There is one button, so that its focus and its name stay the same.
 */
export function BookBar({ product: { name, resalePrice }, children }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const isBar = useIsOutOfSight(container);
  useEffect(() => {
    document.documentElement.toggleAttribute("data-bottom-bar", isBar);
    return () => document.documentElement.removeAttribute("data-bottom-bar");
  }, [isBar]);
  return (
    <div ref={container} className="min-h-11">
      <div
        className={cx(
          "grid",
          isBar &&
            "max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-20 max-lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] max-lg:items-center max-lg:gap-4 max-lg:border-line max-lg:border-t max-lg:bg-surface max-lg:px-page max-lg:pt-3 max-lg:pb-[calc(0.75rem+env(safe-area-inset-bottom))]",
        )}
      >
        {isBar && (
          // Hidden from screen readers, because the page already contains both.
          <p aria-hidden="true" className="grid min-w-0 lg:hidden">
            <span className="truncate text-muted text-xs">{name}</span>
            <span className="font-extrabold text-xl tabular-nums tracking-tight">{dollars(resalePrice)}</span>
          </p>
        )}
        <div className="@container grid">{children}</div>
      </div>
    </div>
  );
}

/** The navigation bar covers the top of the window. */
const MARGIN = "-64px 0px 0px 0px";

function useIsOutOfSight(element: { current: Element | null }): boolean {
  const [isOut, setOut] = useState(false);
  useEffect(() => {
    if (!element.current || typeof IntersectionObserver !== "function") return;
    const seen = new IntersectionObserver(
      (entries) => setOut((entries.at(-1)?.intersectionRatio ?? 1) < 0.95),
      { rootMargin: MARGIN, threshold: 0.95 },
    );
    seen.observe(element.current);
    return () => seen.disconnect();
  }, [element]);
  return isOut;
}
