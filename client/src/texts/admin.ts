import { dateFormat, number } from "./language";

// The specification's words.
export const allBuyers = "All Buyers";
/** The heading, once it is known how many there are. */
export const allBuyersCounted = (count: number) => `All Buyers: ${number(count)}`;
export const allSellers = "All Sellers";
export const reportedItems = "Reported Items";
export const name = "Name";
export const email = "Email";
export const status = "Status";
export const verify = "Verify";
/** The column and its buttons. */
export const remove = "Delete";
export const productImage = "Product Image";
export const productName = "Product Name";
export const reporterName = "Reporter Name";
export const reportReason = "Report Reason";
export const notVerified = "Not verified";
export const verified = "verified";
export const makeVerified = "Make Verified";
export const deleteBuyer = "Are you sure you want to delete this buyer?";
export const deleteSeller = "Are you sure you want to delete this seller?";
export const deleteReport = "Are you sure you want to delete this report?";
export const buyerDeleted = "Buyer Deleted Successfully";
export const sellerDeleted = "Seller Deleted Successfully";
export const sellerVerified = "Seller is Verified Now";
export const reportDeleted = "Report Deleted Successfully";

/** A button's tooltip: whom or what it deletes. */
export const removeTitle = (what: string) => `Delete ${what}`;
export const makeVerifiedTitle = (seller: string) => `Make ${seller} verified`;
/** What is deleted, when it is a report. */
export const reportOf = (phone: string) => `the report of ${phone}`;

/** What goes with a deletion; `what` is who or what is deleted, in bold. */
export const buyerStake = "{what} – their open bookings end, and they can't sign in again.";
export const sellerStake = "{what} – their phones leave the market, and they can't sign in again.";
export const reportStake = "{what} – the phone itself stays listed.";

/** Removing somebody's phone from the market. */
export const takeDown = "Remove phone";
export const takeDownTitle = (phone: string) => `Remove ${phone}`;
export const takeDownQuestion = "Are you sure you want to remove this phone?";
export const takeDownStake =
  "{what} – The phone is removed. If someone has booked it, the booking is cancelled and any payment is refunded.";
export const phoneRemoved = "Phone Removed Successfully";
/** In place of the button afterwards. */
export const takenDown = "Phone removed";
/** Above what only admins can do with a phone. */
export const forAdmins = "For admins";

export const noBuyers = "There are no buyers yet";
export const noBuyersHint = "Whoever signs up as a User appears here at once.";
export const noSellers = "There are no sellers yet";
export const noSellersHint = "Whoever signs up as a Seller appears here at once.";
export const noReports = "Nothing is reported";
export const noReportsHint = "New reports appear here the moment they are made.";

export const auditTrail = "Audit Trail";
export const trailNote = "Each line is kept for 400 days, and nobody can change it.";
export const noLines = "Nothing was done yet";
export const noLinesHint = "What an admin does appears here the moment it is done.";
/** The columns. */
export const when = "When";
export const by = "By";
export const deed = "Deed";
/** Whom or what the deed was about. */
export const about = "About";
/** In place of an admin's name, for what a command on the server did. */
export const operator = "The operator";
/** The deeds. */
export const deedVerifySeller = "Verified a seller";
export const deedRemoveBuyer = "Deleted a buyer";
export const deedRemoveSeller = "Deleted a seller";
export const deedRemovePhone = "Deleted a phone";
export const deedRemovePicture = "Took down a picture";
export const deedSettleReport = "Settled a report";
export const deedMakeAdmin = "Made an admin";
export const deedRevokeAdmin = "Ended being an admin";
export const deedSetPassword = "Set a new password";
export const deedAllowAgain = "Let sign up again";
export const deedLeave = "Deleted their own account";
export const deedRestore = "Restored a backup";
const moment = dateFormat({
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
/** A moment, to the minute. */
export const at = (time: string) => moment(new Date(time));
/** What was restored. */
export const backupOf = (time: string) => `of ${moment(new Date(time))}`;
/** Read out when a line comes by itself. */
export const lineCame = (deed: string, target: string) => `Audit trail: ${deed}, ${target}`;
