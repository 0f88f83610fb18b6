import { useEffect, useState } from "react";

const untilEnd = (left: number) => left;

/**
 * The current time in milliseconds. It is updated until the time `until` (RFC 3339): each time after
 * `delayOf(milliseconds left)`, and at the end. Without `until` it is never updated.
 */
export function useNow(until: string | undefined, delayOf: (left: number) => number = untilEnd): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (until === undefined || !(Date.parse(until) > now)) return;
    const left = Date.parse(until) - Date.now();
    const timer = setTimeout(() => setNow(Date.now()), left > 0 ? delayOf(left) : 0);
    return () => clearTimeout(timer);
  }, [until, now, delayOf]);
  return now;
}
