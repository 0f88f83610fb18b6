import { Link } from "react-router-dom";
import { useIsModerator } from "@/api/role";
import { rowsOf, useList } from "@/api/useList";
import * as t from "@/texts/auditTrail";
import { shortMinute } from "@/texts/dates";
import { useAnnounceNewest } from "@/ui";
import { AdminTable } from "./AdminTable";
import { actionOf, pathOf, personPath, targetOf } from "./auditWords";
import { auditLog } from "./endpoints";

/** One argument object for all renders: the list's key in the cache. */
const ALL = {};

/** /dashboard/auditTrail */
export default function AuditTrail() {
  const view = useList(auditLog, ALL);
  const isModerator = useIsModerator();
  const [newest] = rowsOf(view.list);
  useAnnounceNewest(newest?._id, newest ? t.newEntry(actionOf(newest), targetOf(newest)) : "");
  return (
    <AdminTable
      title={t.title}
      note={t.note}
      view={view}
      columns={[
        {
          header: t.action,
          cardSlot: "title",
          cell: (entry) => <span className="font-bold">{actionOf(entry)}</span>,
        },
        {
          header: t.about,
          cell: (entry) => <Linked to={pathOf(entry, isModerator)}>{targetOf(entry)}</Linked>,
        },
        {
          header: t.by,
          width: "w-44",
          cell: ({ actor, actorId }) =>
            actor ? (
              <Linked to={actorId && personPath(actorId)}>{actor}</Linked>
            ) : (
              <span className="text-muted">{t.operator}</span>
            ),
        },
        {
          header: t.when,
          width: "w-48",
          cell: (entry) => (
            <time dateTime={entry.at} className="tabular-nums">
              {shortMinute(entry.at)}
            </time>
          ),
        },
      ]}
      empty={t.empty}
      emptyHint={t.emptyHint}
    />
  );
}

/** A name, as a link to what it names if there is a page of it. */
function Linked({ to, children }: { to: string | undefined; children: string }) {
  const name = <bdi className="break-words">{children}</bdi>;
  if (!to) return name;
  return (
    <Link to={to} className="text-brand underline underline-offset-4">
      {name}
    </Link>
  );
}
