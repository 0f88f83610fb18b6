import { useId, useState } from "react";
import * as t from "@/texts/notifications";
import { cx } from "@/ui";
import { NextIcon } from "@/ui/icons";
import type { Group } from "./groups";
import { KindIcon } from "./KindIcon";
import { NotificationRow, TimeAndMark } from "./NotificationRow";

interface Props {
  group: Group;
  /** Whether the notification with this _id is new to the reader. */
  isNew: (id: string) => boolean;
}

/** One notification, or one line for several of a kind or subject, which opens. */
export function NotificationGroup({ group: { notifications, subject }, isNew }: Props) {
  const [newest] = notifications;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (notifications.length === 1) {
    return (
      <li>
        <NotificationRow notification={newest} isNew={isNew(newest._id)} />
      </li>
    );
  }
  const { kind } = newest;
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-18 w-full items-center gap-3 px-4 py-3 text-start transition-colors hover:bg-sunk sm:gap-4 sm:px-5"
      >
        <KindIcon kind={kind} />
        <span className="min-w-0 flex-1 font-semibold wrap-anywhere">
          {t.group(kind, notifications.length, subject)}
        </span>
        <TimeAndMark at={newest.createdAt} isNew={notifications.some(({ _id }) => isNew(_id))} />
        <NextIcon
          className={cx(
            "size-4 shrink-0 text-muted transition-transform",
            isOpen ? "-rotate-90" : "rotate-90",
          )}
        />
      </button>
      <ul id={id} hidden={!isOpen} className="divide-y divide-line border-line border-t bg-ground">
        {isOpen &&
          notifications.map((one) => (
            <li key={one._id}>
              <NotificationRow notification={one} isNew={isNew(one._id)} isInGroup />
            </li>
          ))}
      </ul>
    </li>
  );
}
