import { Suspense, useState } from "react";
import { LiveContext, type LiveTopics, noTopics } from "@/api/live";
import type { ConnectionStatus } from "@/lib/live";
import { LiveStatusContext } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { lazyPart } from "@/ui/lazyPart";

const LiveConnection = lazyPart(() => import("./LiveConnection"));

/**
 * Provides the live connection to all screens; mounted once, inside the store and the announcer. Its code is loaded
 * after the first screen. Screens then subscribe from the position of the data that they show, so no event is missed.
 */
export function LiveProvider({ children }: { children: Elements }) {
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
