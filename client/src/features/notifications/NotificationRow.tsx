import { Link } from "react-router-dom";
import type { Notification } from "@/api/types";
import { serverNow } from "@/lib/serverTime";
import { dayOfYear, shortDay } from "@/texts/dates";
import { clock } from "@/texts/language";
import * as t from "@/texts/notifications";
import { Badge, cx } from "@/ui";
import { KindIcon } from "./KindIcon";

interface Props {
  notification: Notification;
  isNew: boolean;
  isInGroup?: boolean;
}

/** One notification: the whole row is the link to its page, if it has one. */
export function NotificationRow({ notification: { kind, text, link, createdAt }, isNew, isInGroup }: Props) {
  const className = cx(
    "flex min-h-18 items-center gap-3 px-4 py-3 sm:gap-4 sm:px-5",
    link && "transition-colors hover:bg-sunk",
    isInGroup && "sm:ps-18",
  );
  const content = (
    <>
      {!isInGroup && <KindIcon kind={kind} />}
      <span className={cx("min-w-0 flex-1 wrap-anywhere", isNew && "font-semibold")}>{text}</span>
      <TimeAndMark at={createdAt} isNew={isNew} />
    </>
  );
  if (!link) return <div className={className}>{content}</div>;
  return (
    <Link to={link} className={className}>
      {content}
    </Link>
  );
}

/** The time, and a mark if it was unread when the screen was opened; on a narrow screen one below the other. */
export function TimeAndMark({ at, isNew }: { at: string; isNew: boolean }) {
  return (
    <span className="flex shrink-0 flex-col-reverse items-end gap-1 sm:flex-row sm:items-center sm:gap-4">
      {isNew && <Badge tone="brand">{t.isNew}</Badge>}
      <Time at={at} />
    </span>
  );
}

/** The time of today, or the day. */
function Time({ at }: { at: string }) {
  const when = new Date(at);
  const now = new Date(serverNow());
  const isToday = when.toDateString() === now.toDateString();
  const isThisYear = when.getFullYear() === now.getFullYear();
  return (
    <time dateTime={at} className="min-w-14 shrink-0 text-end text-muted text-sm tabular-nums">
      {isToday ? clock(when) : isThisYear ? dayOfYear(at) : shortDay(at)}
    </time>
  );
}
