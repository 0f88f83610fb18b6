import { useEffect, useState } from "react";
import * as t from "@/texts/ui";
import { cx } from "@/ui/cx";
import { MINUTE, timeLeft } from "@/ui/remaining";

/** Milliseconds until the words are others: they change with each minute, in the last one with each second. */
const untilNext = (left: number) => (left <= MINUTE ? left % 1000 : left % MINUTE) + 1;

interface Props {
  /** RFC 3339. */
  until: string;
  /** Its size and colour, where they are not the usual ones. */
  className?: string;
}

/** How long there is until a time. Counts on its own, so that nothing around it is rendered again. */
export function TimeLeft({ until, className = "text-muted text-sm" }: Props) {
  const [now, setNow] = useState(Date.now);
  const left = Date.parse(until) - now;
  useEffect(() => {
    if (!(left > 0)) return;
    const timer = setTimeout(() => setNow(Date.now()), untilNext(left));
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <time dateTime={until} className={cx("tabular-nums", className)}>
      {timeLeft(until, now) ?? t.timeUp}
    </time>
  );
}
