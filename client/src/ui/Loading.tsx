import { type ReactNode, useEffect, useState } from "react";
import * as t from "@/texts/loading";
import { Button } from "@/ui/Button";

/** After this long without an answer, in milliseconds, a word is said and another try offered. */
export const SLOW_MS = 8000;

interface Props {
  /** What is loading, for who cannot see the shapes. */
  label: string;
  /** Asks again, in place of the call that does not come back. */
  onRetry?: () => void;
  /** Shapes, as large as what will come. */
  children: ReactNode;
}

/**
 * Shapes in place of what is loading. They show after a moment only (`late`), so that a quick answer
 * never flashes; their room is there from the start. When it takes long it says so, over the shapes.
 */
export function Loading({ label, onRetry, children }: Props) {
  const [tries, setTries] = useState(0);
  const [slowAt, setSlowAt] = useState(-1);
  useEffect(() => {
    const timer = setTimeout(() => setSlowAt(tries), SLOW_MS);
    return () => clearTimeout(timer);
  }, [tries]);
  const again = () => {
    setTries(tries + 1);
    onRetry?.();
  };
  return (
    <div className="relative grid">
      <div
        role="status"
        className="pointer-events-none absolute inset-x-0 top-8 z-10 grid justify-items-center"
      >
        <span className="sr-only">{label}</span>
        {slowAt === tries && (
          <p className="pointer-events-auto flex flex-wrap items-center justify-center gap-3 rounded-md border border-edge bg-surface px-4 py-3 shadow-lift">
            {t.slow}
            {onRetry && (
              <Button size="sm" variant="secondary" onClick={again}>
                {t.tryAgain}
              </Button>
            )}
          </p>
        )}
      </div>
      <div className="late grid">{children}</div>
    </div>
  );
}
