import type { AuditEntry } from "@/api/types";
import { rowsOf, useList } from "@/api/useList";
import * as t from "@/texts/auditTrail";
import { shortMinute } from "@/texts/dates";
import { useAnnounceNewest } from "@/ui";
import { AdminTable } from "./AdminTable";
import { auditLog } from "./endpoints";

/** One argument object for all renders: the list's key in the cache. */
const ALL = {};

const ACTIONS: Record<AuditEntry["action"], string> = {
  "verify-seller": t.actionVerifySeller,
  "take-badge": t.actionTakeBadge,
  "remove-buyer": t.actionRemoveBuyer,
  "remove-seller": t.actionRemoveSeller,
  "remove-phone": t.actionRemovePhone,
  "remove-picture": t.actionRemovePicture,
  "settle-report": t.actionCloseReport,
  "release-order": t.actionReleaseOrder,
  "refund-order": t.actionRefundOrder,
  "pay-out": t.actionPayOut,
  "record-repayment": t.actionRecordRepayment,
  "make-admin": t.actionMakeAdmin,
  "revoke-admin": t.actionRevokeAdmin,
  "set-password": t.actionSetPassword,
  "allow-again": t.actionAllowAgain,
  "reset-second-factor": t.actionResetFactor,
  restore: t.actionRestore,
  leave: t.actionLeave,
};

/** The action in words; an action that this client does not know is shown by its name. */
const actionOf = ({ action }: AuditEntry) => ACTIONS[action] ?? action;
const targetOf = ({ action, target }: AuditEntry) => (action === "restore" ? t.backupOf(target) : target);

/** /dashboard/auditTrail */
export default function AuditTrail() {
  const view = useList(auditLog, ALL);
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
          cell: (entry) => <bdi className="break-words">{targetOf(entry)}</bdi>,
        },
        { header: t.by, width: "w-44", cell: (entry) => <Actor name={entry.actor} /> },
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

function Actor({ name }: { name: string | undefined }) {
  if (!name) return <span className="text-muted">{t.operator}</span>;
  return <bdi className="break-words">{name}</bdi>;
}
