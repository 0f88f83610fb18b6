export { cancelled, expired, refunded } from "./orderStatus";
export { payFor } from "./payFor";
export { myOrders as title } from "./screenNames";

// The specification's texts.
export const image = "image";
export const productName = "Product-Name";
export const brand = "Brand";
export const price = "Price";
export const payment = "Payment";
export const pay = "Pay";
export const paid = "Paid";

/** Beside Paid: where the phone of a paid order is. */
export const waiting = { meet: "Not handed over yet", send: "Not sent yet" };
export const stages: Record<string, string> = {
  sent: "Sent",
  received: "Received",
  problem: "Problem reported",
  returning: "To return",
  sentBack: "Sent back",
  disputed: "Disputed",
  partLost: "Disputed",
  released: "Completed",
  paidOut: "Completed",
  refunding: "Being refunded",
  over: "Completed",
};
/** The heading of the orders that have ended. */
export const past = "Past orders";

/** The name of the table. */
export const caption = "My orders";
export const empty = "You have not booked a phone yet";
export const emptyHint = "<link>Browse the brands</link> and press Book Now on a phone you like.";

/** A link to the page of a paid order; its accessible name has the phone. */
export const seeOrder = "See order";
export const seeOrderOf = (phone: string) => `See order of ${phone}`;

/** Opens the contact details of the seller of a paid phone. */
export const sellerContact = "Seller's contact details";

/** A button; its accessible name has the phone. */
export const cancelBooking = "Cancel booking";
export const cancelFor = (phone: string) => `Cancel booking of ${phone}`;
export const cancelQuestion = "Are you sure you want to cancel this booking?";
export const cancelConsequence = (phone: string) =>
  `${phone} becomes available to others at once. You can't book it again for an hour.`;
export const cancelKeep = "Keep booking";
export const bookingCancelled = "Booking Cancelled";
