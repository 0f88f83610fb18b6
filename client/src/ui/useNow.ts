import { useEffect, useState } from "react";
import { onServerTimeChange, serverNow } from "@/lib/serverTime";
import { onWake } from "@/lib/wake";

const untilEnd = (left: number) => left;

/**
 * The server's time in milliseconds. It is updated until the time `until` (RFC 3339): each time after
 * `delayOf(milliseconds left)`, and at the end; also after a sleep, and when the device's clock turns out to be wrong.
 * Without `until` it is never updated.
 */
export function useNow(until: string | undefined, delayOf: (left: number) => number = untilEnd): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    if (until === undefined || !(Date.parse(until) > now)) return;
    const left = Date.parse(until) - serverNow();
    const timer = setTimeout(() => setNow(serverNow()), left > 0 ? delayOf(left) : 0);
    return () => clearTimeout(timer);
  }, [until, now, delayOf]);
  useEffect(() => {
    if (until === undefined) return;
    const update = () => setNow(serverNow());
    const removals = [onServerTimeChange(update), onWake(update)];
    return () => {
      for (const remove of removals) remove();
    };
  }, [until]);
  return now;
}
