import { useEffect, useState } from "react";
import * as t from "@/texts/ui";
import { cx } from "@/ui/cx";
import { MINUTE, timeLeft } from "@/ui/timeLeft";

/** Milliseconds until the text changes: every minute, and every second in the last minute. */
const msToNextChange = (left: number) => (left <= MINUTE ? left % 1000 : left % MINUTE) + 1;

interface Props {
  /** RFC 3339. */
  until: string;
  /** Classes of size and colour in place of the default ones. */
  className?: string;
}

/** Shows the time left and updates itself, so that nothing around it is rendered again. */
export function Countdown({ until, className = "text-muted text-sm" }: Props) {
  const [now, setNow] = useState(Date.now);
  const left = Date.parse(until) - now;
  useEffect(() => {
    if (!(left > 0)) return;
    const timer = setTimeout(() => setNow(Date.now()), msToNextChange(left));
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <time dateTime={until} className={cx("tabular-nums", className)}>
      {timeLeft(until, now) ?? t.timeUp}
    </time>
  );
}
