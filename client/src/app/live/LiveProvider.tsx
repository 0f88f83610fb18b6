import { type ReactNode, useCallback, useState } from "react";
import { LiveContext, type LiveTopics, nobody } from "@/api/live";
import { laterCode, useCode } from "@/app/useCode";
import type { LineStatus } from "@/lib/live/line";
import { LiveStatusContext } from "./status";

const lineCode = laterCode(async () => ({ Live: (await import("./LiveLine")).LiveLine }));

/** Fetches the line's code. */
export const loadLine = lineCode.load;

/**
 * What is live, for all screens; mounted once, inside the store and the announcer. The line's code comes after
 * the first screen. Until then nobody follows anything: screens begin when it is there, from the position of
 * what they hold by then.
 */
export function LiveProvider({ children }: { children: ReactNode }) {
  const [topics, setTopics] = useState<LiveTopics>(nobody);
  const [status, setStatus] = useState<LineStatus>("off");
  const code = useCode(
    lineCode,
    useCallback(() => setStatus("away"), []),
  );
  return (
    <LiveContext value={topics}>
      <LiveStatusContext value={status}>
        {code && <code.Live onTopics={setTopics} onStatus={setStatus} />}
        {children}
      </LiveStatusContext>
    </LiveContext>
  );
}
