import { shortDay } from "./dates";
import { markPaidBackBy, markPaidTo, refundOf, releaseTo } from "./moneyActions";

export { since } from "./duration";
export { orders as title } from "./screenNames";

/** The columns. */
export const phone = "Phone";
export const buyer = "Buyer";
export const seller = "Seller";
export const money = "Money";
export const status = "Status";
export const state = "Handover";
export const decide = "Decide";

/** The tabs: what an admin has to do, and everything; by `tab` in the address. */
export const tabsLabel = "Which orders";
export const tabs = {
  problem: "Problem",
  payout: "To pay out",
  dispute: "Answer the bank",
  late: "Late",
  "": "All",
};
export const search = "Search";
export const searchHint = "Name, email, order or transaction";

/** The statuses of an order, by `status` in the address. */
export const statuses = {
  "": "All statuses",
  held: "Held",
  paid: "Paid",
  expired: "Expired",
  cancelled: "Cancelled",
  refunded: "Refunded",
};
/** The fulfilment of a paid order, by `state` in the URL. */
export const states = {
  "": "All states",
  problem: "Problem",
  returning: "Returning",
  sentBack: "Sent back",
  waiting: "Not sent yet",
  sent: "Sent",
  received: "Received",
  settled: "Completed",
};
/** Whether the seller has the money, by `payout` in the address. */
export const payouts = {
  "": "All payouts",
  due: "To pay out",
  paidOut: "Paid out",
  debt: "Owed by the seller",
  repaid: "Paid back by the seller",
};
export const payout = "Payout";
/** Under the price: sums of money that are written out. */
export const refunded = (sum: string) => `${sum} refunded`;
export const commission = (sum: string) => `${sum} commission`;
export const waiting = (sum: string) => `${sum} waiting`;
/** The state of a payout, and its sum. */
export const payoutOf = (state: "due" | "paidOut" | "debt" | "repaid", sum: string) =>
  `${payouts[state]}: ${sum}`;
export const reference = "Reference";
export const paidOutOn = (reference: string, at: string) => `${reference}, ${shortDay(at)}`;

/** What is to be paid out, as a file. */
export const download = "Export payouts due (CSV)";
export const nothingDue = "No money is due to a seller";
export const fileName = (day: string) => `payouts-due-${day}.csv`;
export const csvColumns = ["Seller", "Email", "Amount (USD)", "Order", "Phone", "Completed on"];
/** In place of a person whose account is deleted. */
export const nobody = "Deleted account";
/** A settled order: to whom the money goes. */
export const outcomes = { release: "Money to the seller", refund: "Money back to the buyer" };

/** The buyer's bank was asked to take the payment back. */
export const disputes = { open: "Disputed", won: "Dispute won", lost: "Dispute lost" };

export const none = "There are no orders yet";
export const noneHint = "Orders appear here after the first booking.";
export const noMatch = "No matches";
export const noMatchHint = "Names are found by their first letters, everything else only complete.";
export const showAll = "Show all";

/** The buttons, and what they ask. */
export const actions = {
  release: "Release money",
  refund: "Refund",
  return: "Return first",
  payout: "Mark as paid out",
  repayment: "Mark as paid back",
};
/** The buttons of the dialogs, which move the money: with the sum and the person. */
export const moves = {
  release: releaseTo,
  refund: refundOf,
  return: () => returnFirst,
  payout: markPaidTo,
  repayment: markPaidBackBy,
};
export { theBuyer, theSeller } from "./moneyActions";

export const of = (action: string, phone: string) => `${action}: ${phone}`;
export const releaseQuestion = "Release the money to the seller?";
export const refundQuestion = "Refund the buyer?";
export const releaseConsequence = "{what}: the order is completed and the money goes to the seller.";
export const refundConsequence =
  "{what}: the buyer gets the whole payment back. The phone does not go back on sale.";
const returnFirst = "Return first, then refund";
export const returnQuestion = "Have the phone returned first?";
export const returnConsequence =
  "{what}: the buyer sends the phone back, and gets the whole payment back when {seller} has it. If the buyer does not send it back in time, the seller gets the money.";
export const payoutQuestion = "Have you paid the seller?";
/** The phones of a payout. */
export const phonesOf = (names: readonly string[]) =>
  names.length > 3 ? `${names.slice(0, 2).join(", ")} and ${names.length - 2} more phones` : names.join(", ");
export const payoutConsequence =
  "{what}: {sum} for {seller}. Enter the payment's reference, such as the number of the bank transfer. You can't change it later.";
export const repaymentQuestion = "Has the seller paid this back?";
export const repaymentConsequence =
  "{what}: {sum} from {seller}. Enter the payment's reference, such as the number of the bank transfer. You can't change it later.";
export const refundAfterPayout = "The seller has already been paid and will owe this amount.";
export const reason = "Reason";
export const reasonHint = "Both the buyer and the seller will see it.";
export const reasonMissing = "Please give a reason";
export const referenceHint = "The seller will see it.";
export const referenceMissing = "Please enter the reference";
export const markedPaidOut = "Marked as Paid Out";
export const markedRepaid = "Marked as Paid Back";
export const released = "Money Released to the Seller";
export const refunding = "Refund Started";
export const returning = "The Buyer Returns the Phone";
export const cancel = "Cancel";
