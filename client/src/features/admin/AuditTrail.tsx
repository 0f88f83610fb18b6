import type { AuditEntry } from "@/api/types";
import { rowsOf, useList } from "@/api/useList";
import * as t from "@/texts/admin";
import { useAnnounceNewest } from "@/ui";
import { AdminTable } from "./AdminTable";
import { auditLog } from "./endpoints";

/** One argument object for all renders: the list's key in the cache. */
const ALL = {};

const ACTIONS: Record<AuditEntry["deed"], string> = {
  "verify-seller": t.actionVerifySeller,
  "remove-buyer": t.actionRemoveBuyer,
  "remove-seller": t.actionRemoveSeller,
  "remove-phone": t.actionRemovePhone,
  "remove-picture": t.actionRemovePicture,
  "settle-report": t.actionSettleReport,
  "release-order": t.actionReleaseOrder,
  "refund-order": t.actionRefundOrder,
  "pay-out": t.actionPayOut,
  "make-admin": t.actionMakeAdmin,
  "revoke-admin": t.actionRevokeAdmin,
  "set-password": t.actionSetPassword,
  "allow-again": t.actionAllowAgain,
  "reset-second-factor": t.actionResetFactor,
  restore: t.actionRestore,
  leave: t.actionLeave,
};

/** The action in words; an action that this client does not know is shown by its name. */
const actionOf = ({ deed }: AuditEntry) => ACTIONS[deed] ?? deed;
const targetOf = ({ deed, target }: AuditEntry) => (deed === "restore" ? t.backupOf(target) : target);

/** /dashboard/auditTrail */
export default function AuditTrail() {
  const view = useList(auditLog, ALL);
  const [newest] = rowsOf(view.list);
  useAnnounceNewest(newest?._id, newest ? t.newEntry(actionOf(newest), targetOf(newest)) : "");
  return (
    <AdminTable
      title={t.auditTrail}
      note={t.trailNote}
      view={view}
      columns={[
        {
          header: t.action,
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
      empty={t.noEntries}
      emptyHint={t.noEntriesHint}
    />
  );
}

function Actor({ name }: { name: string | undefined }) {
  if (!name) return <span className="text-muted">{t.operator}</span>;
  return <bdi className="break-words">{name}</bdi>;
}
