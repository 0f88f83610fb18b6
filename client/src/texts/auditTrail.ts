import { shortMinute } from "./dates";

export { auditTrail as title } from "./screenNames";

export const note = "Entries are kept for 400 days and can't be changed.";
export const empty = "No entries yet";
export const emptyHint = "Admin actions appear here as soon as they happen.";
/** The columns. */
export const when = "When";
export const by = "By";
export const action = "Action";
/** Who or what the action was about. */
export const about = "About";
/** In place of an admin's name, for what a command on the server did. */
export const operator = "Server command";
/** The actions. */
export const actionVerifySeller = "Verified a seller";
export const actionTakeBadge = "Took back a Verified badge";
export const actionRemoveBuyer = "Deleted a buyer";
export const actionRemoveSeller = "Deleted a seller";
export const actionRemovePhone = "Removed a phone";
export const actionRemovePicture = "Removed a photo";
export const actionReadCase = "Read a case";
export const actionKeep = "Closed a case, nothing changed";
export const actionWarn = "Warned";
export const actionSuspend = "Suspended";
export const actionUphold = "Kept a decision after an appeal";
export const actionReverse = "Took back a decision";
export const actionCloseReport = "Closed a report";
export const actionReleaseOrder = "Released a payment";
export const actionReturnOrder = "Decided that a phone is returned";
export const actionRefundOrder = "Refunded an order";
export const actionAnswerDispute = "Answered a dispute at the bank";
export const actionPayOut = "Paid out an order";
export const actionRecordRepayment = "Recorded what a seller paid back";
export const actionMakeAdmin = "Granted the admin role";
export const actionMakeModerator = "Granted the moderator role";
export const actionRevokeAdmin = "Removed the admin role";
export const actionSetPassword = "Set a new password";
export const actionResetFactor = "Switched two-step login off";
export const actionAllowAgain = "Allowed to sign up again";
export const actionLeave = "Deleted their own account";
export const actionRestore = "Restored a backup";
/** What was restored. */
export const backupOf = (time: string) => `of ${shortMinute(time)}`;
/** Read out when an entry is added. */
export const newEntry = (action: string, target: string) => `Audit trail: ${action}, ${target}`;
