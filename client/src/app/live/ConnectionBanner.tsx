import { useContext, useEffect, useState, useSyncExternalStore } from "react";
import type { ConnectionStatus } from "@/lib/live";
import * as t from "@/texts/live";
import { LiveStatusContext } from "./status";

/** The notice appears after an interruption of this duration, milliseconds: shorter ones are of no interest. */
export const DELAY_MS = 2000;
/** How long the notice says that live updates are back, milliseconds. */
export const RECONNECTED_MS = 4000;

const MESSAGES: Partial<Record<ConnectionStatus, string>> = {
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

/** A notice while live updates are interrupted, and when they are back. It overlays the page, so that nothing moves. */
export function ConnectionBanner() {
  const status = useContext(LiveStatusContext);
  const isOnline = useSyncExternalStore(watch, () => navigator.onLine);
  const trouble = isOnline ? MESSAGES[status] : t.offline;
  const [shown, setShown] = useState<string>();
  const isBack = !trouble && shown !== undefined;
  const wait = isBack ? RECONNECTED_MS : shown === undefined || shown === t.reconnected ? DELAY_MS : 0;
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
