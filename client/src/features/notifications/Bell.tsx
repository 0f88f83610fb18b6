import { NavLink } from "react-router-dom";
import * as t from "@/texts/notifications";
import { cx, useAnnounceNewest } from "@/ui";
import { BellIcon } from "@/ui/icons";
import { useNotifications } from "./useNotifications";

/** The link to the notifications, with the number of unread ones. Only loaded ones are counted. */
export default function Bell() {
  const { list, rows, hasMore } = useNotifications();
  const unread = rows.filter(({ readAt }) => !readAt).length;
  const [newest] = rows;
  useAnnounceNewest(list && (newest?._id ?? ""), newest ? t.added(newest.text) : "");
  const label = t.bell(unread, hasMore && unread === rows.length);
  return (
    <NavLink
      to="/dashboard/notifications"
      aria-label={label}
      title={label}
      className={({ isActive }) =>
        cx(
          "relative inline-flex size-11 shrink-0 items-center justify-center rounded-full transition-colors hover:bg-sunk",
          isActive ? "bg-brand-soft text-brand" : "text-muted hover:text-ink",
        )
      }
    >
      <BellIcon />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="absolute end-0 top-0.5 min-w-5 rounded-full bg-danger px-1 text-center font-bold text-on-danger text-xs tabular-nums"
        >
          {t.badge(unread)}
        </span>
      )}
    </NavLink>
  );
}
