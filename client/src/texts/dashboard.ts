import { plural } from "./language";

export { cancelled, expired, refunded } from "./orderStatus";
export { payFor } from "./payFor";
export { dashboard as title, findPhone } from "./screenNames";

export const pay = "Pay";

/** The buyer's overview: statistics with a note each, and the orders to pay. */
export const buyer = "Your orders right now";
export const toPay = "To pay";
export const nothingToPay = "nothing to pay";
export const totalToPay = "Total to pay";
export const totalToPayNote = "held for you";
export const paid = "Paid";
export const paidNote = "paid orders";
export const spent = "Spent";
export const spentNote = "on paid orders";
export const heldForYou = "Held for you";
export const nothingHeld =
  "You have no unpaid bookings. Press Book Now on a phone, and it is held for you while you pay.";

/** The seller's overview. */
export const seller = "Your phones right now";
export const listPhone = "List a phone";
export const onSale = "Available";
export const onSaleNote = (sum: string) => `asking ${sum}`;
export const held = "Held";
export const heldNote = "waiting for payment";
export const sold = "Sold";
export const soldNote = "paid in full";
export const sales = "Sales";
export const salesNote = "prices of sold phones";
export const heldForBuyer = "Held for a buyer";
export const noPhones = "You have no phones for sale yet. Listing your first one takes two minutes.";
export const nothingHeldForBuyer = "No bookings are waiting for payment. New ones appear here automatically.";
export const availableAgain = "Available again";

/** The admin's overview; each statistic has a link to its list. */
export const admin = "SecondRing right now";
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

/** In place of a row whose phone, order, seller or report was removed. */
export const noLongerAvailable = "No longer available";
/** Beside the title of a list that shows its first rows only. */
export const more = (count: number) => plural(count, { one: "and # more", other: "and # more" });
