import { number, plural } from "./language";

export { allBuyers, allSellers, reportedItems } from "./screenNames";

// The specification's words.
/** The heading, once it is known how many there are. */
export const allBuyersCounted = (count: number) => `All Buyers: ${number(count)}`;
export const name = "Name";
export const email = "Email";
export const status = "Status";
export const verify = "Verify";
/** The column and its buttons. */
export const deleteLabel = "Delete";
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
export const deleteTitle = (what: string) => `Delete ${what}`;
export const makeVerifiedTitle = (seller: string) => `Make ${seller} verified`;
export const takeBack = "Take back";
export const takeBackTitle = (seller: string) => `Take back the Verified badge of ${seller}`;

/** The dialog before a seller is verified. */
export const verifyQuestion = (seller: string) => `Verify ${seller}?`;
/** In the dialog, when the seller's name or address is another one than the admin has seen. */
export const sellerChanged = "This seller has changed. Please check them again.";
export const before = "Before: ";
export const now = "Now: ";
export const phoneNumber = "Phone number";
export const location = "Location";
/** Above the seller's newest phones: how many there are in all. */
export const phonesCounted = (count: number) => plural(count, { one: "# phone", other: "# phones" });
export const morePhones = (count: number) => plural(count, { one: "and # more", other: "and # more" });
export const noPhones = "No phones yet";
export const loadingPhones = "Loading the phones";
/** The dialog before the badge is taken back. */
export const takeBackQuestion = "Are you sure you want to take the badge back?";
export const takeBackConsequence =
  "{what} and all their phones lose the Verified badge, and advertising that requires it ends. You can verify them again.";
export const badgeTaken = "Badge Taken Back";

/** Messages in a report about a conversation. */
export const quotes = "From the conversation";
export const saidBy = (name: string) => `${name}:`;
export const reportedBy = (name: string) => `${name} (reported):`;

/** What is deleted, when it is a report. */
export const reportOf = (phone: string) => `Report of ${phone}`;

/** What else a deletion removes; `what` is who or what is deleted, in bold. */
export const buyerConsequence =
  "{what}: their unpaid bookings are cancelled, and they can't log in or sign up again. Paid orders stay. They can ask another admin to look again; after 180 days the account is erased.";
export const sellerConsequence =
  "{what}: all their phones are hidden, unpaid bookings of them are cancelled, and they can't log in or sign up again. Paid orders stay. They can ask another admin to look again; after 180 days the account is erased.";
export const reportConsequence = "{what}: only the report is removed. The phone and its seller stay.";

/** Removing a seller's phone. */
export const removePhone = "Remove phone";
export const removeTitle = (what: string) => `Remove ${what}`;
export const removePhoneQuestion = "Are you sure you want to remove this phone?";
export const removePhoneConsequence =
  "{what}: the phone is hidden. If someone has booked it, the booking is cancelled and any payment is refunded. Its seller can ask another admin to look again.";
export const removePhoneDone = "Phone Removed Successfully";
/** In place of the button afterwards. */
export const phoneRemoved = "Phone removed";
/** Opens the fields for a reason in a dialog. */
export const giveReason = "Say why";
export const withoutReason =
  "Without a reason of yours they read: An admin has decided that this breaks the rules of our market.";
/** Above what only admins can do with a phone. */
export const forAdmins = "For admins";

/** Above the table of reports: what the first of its three buttons does. */
export const deleteDismisses = "Delete removes only the report; the phone and seller stay.";
/** Beside a reported phone. */
export const soldBy = (seller: string) => `Seller: ${seller}`;
export const removeSeller = "Remove seller";
/** In place of the button: the account is deleted; or nobody recorded whose phone it was. */
export const sellerRemoved = "Seller removed";
export const sellerUnknown = "Seller unknown";

export const noBuyers = "There are no buyers yet";
export const noBuyersHint = "New buyers appear here as soon as they sign up.";
export const noSellers = "There are no sellers yet";
export const noSellersHint = "New sellers appear here as soon as they sign up.";
/** The choice above a table of people. */
export const search = "Name or email";
/** What a list shows, by `verified` in the address. */
export const statuses = { "": "All sellers", no: notVerified, yes: "Verified" };
/** How many people match the choice, of all. */
export const matching = (count: number, total: number) =>
  `${number(count)} of ${number(total)} ${count === 1 ? "matches" : "match"}`;
export const noMatch = "No matches";
export const showAll = "Show all";
/** Above the table of sellers: when to verify one. */
export const verifiedMeans =
  "Verify a seller once you have checked who they are. Their phones then carry a Verified badge.";

export const noReports = "No reports yet";
export const noReportsHint = "New reports appear here as soon as they are made.";
