import { useEffect, useState } from "react";
import * as t from "@/texts/ui";
import { MINUTE, timeLeft } from "@/ui/remaining";

/** How long there is until a time (RFC 3339). Counts on its own: by the minute, in the last one by the second. */
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
      {timeLeft(until, now) ?? t.timeUp}
    </time>
  );
}
