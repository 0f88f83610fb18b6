import type { AuditEntry } from "@/api/types";
import * as t from "@/texts/auditTrail";

const ACTIONS: Record<AuditEntry["action"], string> = {
  "verify-seller": t.actionVerifySeller,
  "take-badge": t.actionTakeBadge,
  "remove-buyer": t.actionRemoveBuyer,
  "remove-seller": t.actionRemoveSeller,
  "remove-phone": t.actionRemovePhone,
  "remove-picture": t.actionRemovePicture,
  "read-case": t.actionReadCase,
  keep: t.actionKeep,
  warn: t.actionWarn,
  suspend: t.actionSuspend,
  "uphold-decision": t.actionUphold,
  "reverse-decision": t.actionReverse,
  "settle-report": t.actionCloseReport,
  "release-order": t.actionReleaseOrder,
  "return-order": t.actionReturnOrder,
  "refund-order": t.actionRefundOrder,
  "answer-dispute": t.actionAnswerDispute,
  "pay-out": t.actionPayOut,
  "record-repayment": t.actionRecordRepayment,
  "make-admin": t.actionMakeAdmin,
  "make-moderator": t.actionMakeModerator,
  "revoke-admin": t.actionRevokeAdmin,
  "set-password": t.actionSetPassword,
  "allow-again": t.actionAllowAgain,
  "reset-second-factor": t.actionResetFactor,
  restore: t.actionRestore,
  leave: t.actionLeave,
};

/** The action in words; an action that this client does not know is shown by its name. */
export const actionOf = ({ action }: AuditEntry) => ACTIONS[action] ?? action;
export const targetOf = ({ action, target }: AuditEntry) =>
  action === "restore" ? t.backupOf(target) : target;

/** The page of a person, by their _id. */
export const personPath = (id: string) => `/dashboard/person/${id}`;

const OF_ORDERS = new Set([
  "release-order",
  "return-order",
  "refund-order",
  "answer-dispute",
  "pay-out",
  "record-repayment",
]);
const OF_PEOPLE = new Set([
  "verify-seller",
  "take-badge",
  "make-admin",
  "make-moderator",
  "revoke-admin",
  "set-password",
  "reset-second-factor",
]);

/** The page of what the action was done to; undefined where it was deleted, and for a moderator where it is an order. */
export function pathOf({ action, targetId }: AuditEntry, isModerator: boolean): string | undefined {
  if (!targetId) return undefined;
  if (OF_ORDERS.has(action)) return isModerator ? undefined : `/dashboard/order/${targetId}`;
  return OF_PEOPLE.has(action) ? personPath(targetId) : undefined;
}
