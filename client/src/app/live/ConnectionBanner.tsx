import { useContext, useEffect, useState, useSyncExternalStore } from "react";
import type { ConnectionStatus } from "@/lib/live";
import * as t from "@/texts/live";
import { LiveStatusContext, Notice } from "@/ui";

/** The notice appears after an interruption of this duration, milliseconds; shorter ones are not shown. Offline it appears at once. */
export const DELAY_MS = 2000;
/** How long the notice says that live updates are back, milliseconds. */
export const RECONNECTED_MS = 4000;

const MESSAGES: Partial<Record<ConnectionStatus, string>> = {
  connecting: t.connecting,
  checking: t.reconnecting,
  reconnecting: t.reconnecting,
  stopped: t.stopped,
};

function subscribeToNetwork(onChange: () => void): () => void {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
}

/** A notice while live updates are interrupted, and when they are back. */
export function ConnectionBanner() {
  const status = useContext(LiveStatusContext);
  const isOnline = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);
  const problem = isOnline ? MESSAGES[status] : t.offline;
  const [message, setMessage] = useState<string>();
  const isBack = !problem && message !== undefined;
  const isShort = isOnline && (message === undefined || message === t.reconnected);
  const delay = isBack ? RECONNECTED_MS : isShort ? DELAY_MS : 0;
  useEffect(() => {
    if (isBack) setMessage(t.reconnected);
    const timer = setTimeout(() => setMessage(problem), delay);
    return () => clearTimeout(timer);
  }, [isBack, problem, delay]);
  return (
    <Notice kind="connection">
      <div role="status" aria-label={t.label}>
        {message && (
          <p className="mb-2 rounded-lg border border-edge bg-surface px-3 py-1 text-muted text-sm shadow-lift">
            {message}
          </p>
        )}
      </div>
    </Notice>
  );
}
