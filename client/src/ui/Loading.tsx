import { type ReactNode, useEffect, useState } from "react";
import * as t from "@/texts/loading";
import { Button } from "@/ui/Button";

/** Milliseconds after which a message and a retry button are shown. */
export const SLOW_MS = 8000;

interface Props {
  /** What is loading, for screen readers. */
  label: string;
  /** Sends the request again. */
  onRetry?: () => void;
  /** Skeletons of the size of the content. */
  children: ReactNode;
}

/**
 * Skeletons in place of content that loads. They appear after a moment only (the class `delayed-appearance`),
 * so that a quick response causes no flicker; their space is reserved from the start. For a slow response a message
 * is shown over them.
 */
export function Loading({ label, onRetry, children }: Props) {
  const [attempt, setAttempt] = useState(0);
  const [slowAt, setSlowAt] = useState(-1);
  useEffect(() => {
    const timer = setTimeout(() => setSlowAt(attempt), SLOW_MS);
    return () => clearTimeout(timer);
  }, [attempt]);
  const retry = () => {
    setAttempt(attempt + 1);
    onRetry?.();
  };
  return (
    <div className="relative grid">
      <div
        role="status"
        className="pointer-events-none absolute inset-x-0 top-8 z-10 grid justify-items-center"
      >
        <span className="sr-only">{label}</span>
        {slowAt === attempt && (
          <p className="pointer-events-auto flex flex-wrap items-center justify-center gap-3 rounded-md border border-edge bg-surface px-4 py-3 shadow-lift">
            <span>{t.slow}</span>
            {onRetry && (
              <Button size="sm" variant="secondary" onClick={retry}>
                {t.tryAgain}
              </Button>
            )}
          </p>
        )}
      </div>
      <div className="delayed-appearance grid">{children}</div>
    </div>
  );
}
