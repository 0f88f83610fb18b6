import { useContext, useEffect, useState, useSyncExternalStore } from "react";
import type { ConnectionStatus } from "@/lib/live";
import * as t from "@/texts/live";
import { LiveStatusContext } from "./status";

/** Live may be away this long, in milliseconds, before a word is said: most gaps nobody notices. */
export const QUIET_MS = 2000;
/** How long it says that all is well again, milliseconds. */
export const BACK_MS = 4000;

const WORDS: Partial<Record<ConnectionStatus, string>> = {
  connecting: t.connecting,
  reconnecting: t.reconnecting,
  stopped: t.stopped,
};

function watch(changed: () => void): () => void {
  window.addEventListener("online", changed);
  window.addEventListener("offline", changed);
  return () => {
    window.removeEventListener("online", changed);
    window.removeEventListener("offline", changed);
  };
}

/** A quiet sign while live is away, and once more when it is back. It lies over the page's edge, so nothing moves. */
export function ConnectionBanner() {
  const status = useContext(LiveStatusContext);
  const isOnline = useSyncExternalStore(watch, () => navigator.onLine);
  const trouble = isOnline ? WORDS[status] : t.offline;
  const [shown, setShown] = useState<string>();
  const isBack = !trouble && shown !== undefined;
  const wait = isBack ? BACK_MS : shown === undefined || shown === t.reconnected ? QUIET_MS : 0;
  useEffect(() => {
    if (isBack) setShown(t.reconnected);
    const timer = setTimeout(() => setShown(trouble), wait);
    return () => clearTimeout(timer);
  }, [isBack, trouble, wait]);
  return (
    <div
      role="status"
      aria-label={t.sign}
      className="pointer-events-none fixed start-4 bottom-4 z-40 max-w-72"
    >
      {shown && (
        <p className="rounded-lg border border-edge bg-surface px-3 py-1 text-muted text-sm shadow-lift">
          {shown}
        </p>
      )}
    </div>
  );
}
