import { createContext, useContext, useEffect, useState } from "react";
import type { LineStatus } from "@/lib/live";

/** Where the live connection stands; provided by LiveProvider. */
export const LiveStatusContext = createContext<LineStatus>("off");

/** Live may be away this long, in milliseconds, before a word is said: most gaps nobody notices. */
export const QUIET_MS = 2000;

const WORDS: Partial<Record<LineStatus, string>> = {
  connecting: "Live updates are on their way",
  away: "Live updates are away",
  stopped: "Live updates have stopped: reload the page to get them back",
};

/** A quiet sign for the time that live is away. It lies over the page's edge, so nothing moves when it comes. */
export function LiveSign() {
  const status = useContext(LiveStatusContext);
  const words = WORDS[status];
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!words) {
      setShown(false);
      return;
    }
    const timer = setTimeout(() => setShown(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <div
      role="status"
      aria-label="Live updates"
      className="pointer-events-none fixed start-4 bottom-4 z-40 max-w-72"
    >
      {shown && words && (
        <p className="rounded-full border border-edge bg-surface px-3 py-1 text-muted text-sm shadow-lift">
          {words}
        </p>
      )}
    </div>
  );
}
