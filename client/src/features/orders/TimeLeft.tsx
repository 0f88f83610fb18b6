import { useEffect, useState } from "react";

const MINUTE = 60_000;

/** "3 h 20 min left", "45 s left"; null once the time is over. */
export function timeLeft(until: string, now: number): string | null {
  const left = Date.parse(until) - now;
  if (!(left > 0)) return null;
  if (left < MINUTE) return `${Math.ceil(left / 1000)} s left`;
  const minutes = Math.floor(left / MINUTE);
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return `${minutes} min left`;
  return `${hours} h ${minutes % 60} min left`;
}

/** How long the phone stays held for its buyer. Counts on its own: by the minute, in the last one by the second. */
export function TimeLeft({ until }: { until: string }) {
  const [now, setNow] = useState(Date.now);
  const left = Date.parse(until) - now;
  useEffect(() => {
    if (!(left > 0)) return;
    const timer = setTimeout(() => setNow(Date.now()), left <= MINUTE ? 1000 : MINUTE / 4);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <time dateTime={until} className="text-muted text-sm tabular-nums">
      {timeLeft(until, now) ?? "Time is up"}
    </time>
  );
}
