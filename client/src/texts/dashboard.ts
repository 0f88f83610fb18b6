import { plural } from "./language";

// The specification's words.
export const title = "Dashboard";
export const myOrders = "My Orders";
export const addProduct = "Add A Product";
export const myProducts = "My Products";
export const allBuyers = "All Buyers";
export const allSellers = "All Sellers";
export const reportedItems = "Reported Items";
export const auditTrail = "Audit Trail";
/** Beside the heading, the way to what is kept on oneself. */
export const account = "Your account";
export const pay = "Pay";

/** The buyer's first page: figures with a note each, and what waits. */
export const buyer = "Your orders right now";
export const findPhone = "Find a phone";
export const toPay = "To pay";
export const toPayNone = "nothing to pay";
export const owed = "Total to pay";
export const owedNote = "held for you";
export const paid = "Paid";
export const paidNote = "completed orders";
export const spent = "Spent";
export const spentNote = "on paid orders";
export const heldForYou = "Held for you";
export const nothingHeld =
  "You have no unpaid bookings. Press Book Now on a phone and it is held for you until you pay.";
/** A button's tooltip. */
export const payFor = (phone: string) => `Pay for ${phone}`;
export const expired = "Expired";
export const cancelled = "Cancelled";
export const refunded = "Refunded";

/** The seller's. */
export const seller = "Your shop right now";
export const listPhone = "List a phone";
export const onSale = "On sale";
export const onSaleNote = (sum: string) => `asking ${sum}`;
export const held = "Held";
export const heldNote = "waiting for payment";
export const sold = "Sold";
export const soldNote = "paid in full";
export const taken = "Earnings";
export const takenNote = "from sold phones";
export const heldForBuyer = "Held for a buyer";
export const noPhones = "You have no phones for sale yet. Listing your first one takes two minutes.";
export const nothingWaits = "No bookings are waiting for payment. New ones appear here automatically.";
export const availableAgain = "Available again";

/** The admin's; under a figure the way to its list. */
export const admin = "The market right now";
export const buyers = "Buyers";
export const seeBuyers = "See the buyers";
export const sellers = "Sellers";
export const seeSellers = "See the sellers";
export const notVerifiedYet = "Not verified yet";
export const seeUnverified = "See the sellers to verify";
export const openReports = "Open reports";
export const seeReports = "See the reports";
export const toVerify = "Sellers to verify";
export const allVerified = "Every seller is verified.";
export const verified = "Verified";
export const notVerified = "Not verified";
export const newestReports = "Newest reports";
export const nothingReported = "There are no open reports.";

/** In place of a row whose phone, order, seller or report has gone. */
export const gone = "No longer available";
/** Under a list that shows the first few. */
export const more = (count: number) => plural(count, { one: "and # more", other: "and # more" });
