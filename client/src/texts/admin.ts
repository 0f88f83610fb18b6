import { number } from "./language";

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

export const noBuyers = "There are no buyers yet";
export const noBuyersHint = "Whoever signs up as a User appears here at once.";
export const noSellers = "There are no sellers yet";
export const noSellersHint = "Whoever signs up as a Seller appears here at once.";
export const noReports = "Nothing is reported";
export const noReportsHint = "New reports appear here the moment they are made.";
