import { lazy, type ReactNode, Suspense, useState } from "react";
import { LiveContext, type LiveTopics, noTopics } from "@/api/live";
import { importWithRetry } from "@/lib/importWithRetry";
import type { ConnectionStatus } from "@/lib/live";
import { LiveStatusContext } from "@/ui";

const LiveConnection = lazy(() => importWithRetry(() => import("./LiveConnection")));

/**
 * Provides the live connection to all screens; mounted once, inside the store and the announcer. Its code is loaded
 * after the first screen. Screens then subscribe from the position of the data that they show, so no event is missed.
 */
export function LiveProvider({ children }: { children: ReactNode }) {
  const [topics, setTopics] = useState<LiveTopics>(noTopics);
  const [status, setStatus] = useState<ConnectionStatus>("connecting");
  return (
    <LiveContext value={topics}>
      <LiveStatusContext value={status}>
        <Suspense>
          <LiveConnection onTopics={setTopics} onStatus={setStatus} />
        </Suspense>
        {children}
      </LiveStatusContext>
    </LiveContext>
  );
}
