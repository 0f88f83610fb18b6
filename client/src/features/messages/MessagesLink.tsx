import { NavLink } from "react-router-dom";
import { useRole } from "@/api/role";
import { rowsOf, useList } from "@/api/useList";
import * as t from "@/texts/messages";
import { badge } from "@/texts/notifications";
import { cx, useAnnounceNewest } from "@/ui";
import { MessageIcon } from "@/ui/icons";
import { ALL, newestFirst, threads } from "./endpoints";

/** The link to the messages, with the number of loaded conversations that have unread ones. Admins have none. */
export default function MessagesLink() {
  const { role } = useRole();
  const mayTalk = role === "buyer" || role === "seller";
  const { list } = useList(threads, mayTalk ? ALL : null);
  const rows = rowsOf(list).sort(newestFirst);
  const unread = rows.filter((thread) => thread.unread > 0).length;
  const [newest] = rows;
  useAnnounceNewest(
    list && (newest && !newest.last.mine ? newest.last.at : ""),
    newest ? t.arrived(newest.with.name, newest.last.text) : "",
  );
  const label = t.bar(unread);
  // An empty space, so that nothing moves when the role is known.
  if (!mayTalk) return <span className="size-11" />;
  return (
    <NavLink
      to="/dashboard/messages"
      aria-label={label}
      title={label}
      className={({ isActive }) =>
        cx(
          "relative inline-flex size-11 shrink-0 items-center justify-center rounded-full transition-colors hover:bg-sunk",
          isActive ? "bg-brand-soft text-brand" : "text-muted hover:text-ink",
        )
      }
    >
      <MessageIcon />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="absolute end-0 top-0.5 min-w-5 rounded-full bg-danger px-1 text-center font-bold text-on-danger text-xs tabular-nums"
        >
          {badge(unread)}
        </span>
      )}
    </NavLink>
  );
}
