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
  /** Classes of the word "left", which some places have no room for. */
  leftClass?: string;
}

/** Shows the time left and updates itself, so that nothing around it is rendered again. */
export function Countdown({ until, className = "text-muted text-sm", leftClass }: Props) {
  const now = useNow(until, msToNextChange);
  const left = timeLeft(until, now);
  return (
    <time dateTime={until} className={cx("tabular-nums", className)}>
      {leftClass && left ? <Parts left={left} leftClass={leftClass} /> : timeText(left)}
    </time>
  );
}

const timeText = (left: string | null) => (left === null ? t.timeUp : left + t.left);

function Parts({ left, leftClass }: { left: string; leftClass: string }) {
  return (
    <>
      <span>{left}</span>
      <span className={leftClass}>{t.left}</span>
    </>
  );
}
