import { useEffect, useRef } from "react";
import type { Line } from "@/api/types";
import { rowsOf, useList } from "@/api/useList";
import * as t from "@/texts/admin";
import { useAnnounce } from "@/ui";
import { AdminTable } from "./AdminTable";
import { trail } from "./endpoints";

/** One argument object for all renders: the list's key in the cache. */
const ALL = {};

const ACTIONS: Record<Line["deed"], string> = {
  "verify-seller": t.deedVerifySeller,
  "remove-buyer": t.deedRemoveBuyer,
  "remove-seller": t.deedRemoveSeller,
  "remove-phone": t.deedRemovePhone,
  "remove-picture": t.deedRemovePicture,
  "settle-report": t.deedSettleReport,
  "make-admin": t.deedMakeAdmin,
  "revoke-admin": t.deedRevokeAdmin,
  "set-password": t.deedSetPassword,
  "allow-again": t.deedAllowAgain,
  restore: t.deedRestore,
  leave: t.deedLeave,
};

/** The deed in words; one that only a newer server knows, as it is called. */
const actionOf = ({ deed }: Line) => ACTIONS[deed] ?? deed;
const targetOf = ({ deed, target }: Line) => (deed === "restore" ? t.backupOf(target) : target);

/** /dashboard/auditTrail */
export default function AuditTrail() {
  const view = useList(trail, ALL);
  useAnnounceNewest(rowsOf(view.list)[0]);
  return (
    <AdminTable
      title={t.auditTrail}
      note={t.trailNote}
      view={view}
      columns={[
        {
          header: t.deed,
          cardSlot: "title",
          cell: (line) => <span className="font-bold">{actionOf(line)}</span>,
        },
        {
          header: t.about,
          cell: (line) => <bdi className="break-words">{targetOf(line)}</bdi>,
        },
        { header: t.by, width: "w-44", cell: (line) => <Actor name={line.actor} /> },
        {
          header: t.when,
          width: "w-48",
          cell: (line) => (
            <time dateTime={line.at} className="tabular-nums">
              {t.at(line.at)}
            </time>
          ),
        },
      ]}
      empty={t.noLines}
      emptyHint={t.noLinesHint}
    />
  );
}

function Actor({ name }: { name: string | undefined }) {
  if (!name) return <span className="text-muted">{t.operator}</span>;
  return <bdi className="break-words">{name}</bdi>;
}

/** Reads out a line that comes while the screen is open; not those that were there before. */
function useAnnounceNewest(newest: Line | undefined) {
  const announce = useAnnounce();
  const known = useRef(newest?._id);
  useEffect(() => {
    if (!newest || newest._id === known.current) return;
    if (known.current) announce(t.lineCame(actionOf(newest), targetOf(newest)));
    known.current = newest._id;
  }, [newest, announce]);
}
