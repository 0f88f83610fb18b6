import * as t from "@/texts/ui";
import { cx } from "@/ui/cx";
import { MINUTE, timeLeft } from "@/ui/timeLeft";
import { useNow } from "@/ui/useNow";

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
  const now = useNow(until, msToNextChange);
  return (
    <time dateTime={until} className={cx("tabular-nums", className)}>
      {timeLeft(until, now) ?? t.timeUp}
    </time>
  );
}
