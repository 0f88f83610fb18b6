export const title = "Orders";
export const note =
  "All bookings, newest first. A paid order whose filter you have chosen appears here at once.";
/** The columns. */
export const phone = "Phone";
export const buyer = "Buyer";
export const seller = "Seller";
export const price = "Price";
export const status = "Status";
export const state = "Handover";
export const decide = "Decide";

/** The statuses of an order, by `status` in the address. */
export const statuses = {
  "": "All statuses",
  held: "Held",
  paid: "Paid",
  expired: "Expired",
  cancelled: "Cancelled",
  refunded: "Refunded",
};
/** How far a paid order has come, by `state` in the address. */
export const states = {
  "": "All states",
  problem: "Problem",
  waiting: "Not sent yet",
  sent: "Sent",
  received: "Received",
  settled: "Completed",
};
export const buyerEmail = "Buyer's email";
export const sellerEmail = "Seller's email";
/** In place of a person whose account is deleted. */
export const nobody = "Deleted account";
/** In place of the seller of an order that is not paid. */
export const notPaid = "Not paid yet";
/** A settled order: to whom the money goes. */
export const outcomes = { release: "Money to the seller", refund: "Money back to the buyer" };

export const none = "There are no orders yet";
export const noneHint = "Orders appear here once they are paid.";
export const noMatch = "No matches";
export const noMatchHint = "Email addresses have to be complete.";
export const showAll = "Show all";

/** The buttons, and what they ask. */
export const actions = { release: "To the seller", refund: "Refund" };
export const of = (action: string, phone: string) => `${action}: ${phone}`;
export const releaseQuestion = "Release the money to the seller?";
export const refundQuestion = "Refund the buyer?";
export const releaseStake = "{what}: the order is completed and the money goes to the seller.";
export const refundStake = "{what}: the buyer gets the whole payment back. The phone stays withdrawn.";
export const reason = "Reason";
export const reasonHint = "The buyer and the seller both read it.";
export const reasonMissing = "Please give a reason";
export const released = "Money Released to the Seller";
export const refunding = "Refund Started";
export const cancel = "Cancel";
