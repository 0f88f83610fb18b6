import { useEffect, useState } from "react";

const whole = (left: number) => left;

/**
 * The current time in milliseconds, up to a moment (RFC 3339): renewed when the moment has come, and before that after
 * each pause(milliseconds left). Without a moment it stays as it is.
 */
export function useNow(until: string | undefined, pause: (left: number) => number = whole): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (until === undefined || !(Date.parse(until) > now)) return;
    const left = Date.parse(until) - Date.now();
    const timer = setTimeout(() => setNow(Date.now()), left > 0 ? pause(left) : 0);
    return () => clearTimeout(timer);
  }, [until, now, pause]);
  return now;
}
