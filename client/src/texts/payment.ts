export { payment as title } from "./screenNames";

// The specification's texts. It writes prices without a separator, and the other texts of this screen do the same.
export const heading = (phone: string) => `Payment for ${phone}`;
export const pleasePay = (price: number) => `Please pay $${price} for your booking`;
export const pay = "Pay";
export const paid = "Paid";
export const congratulations = "Congrats! Your Payment Completed";

/** In place of the specification's text when there is nothing to pay. */
export const youPaid = (price: number) => `You have paid $${price}`;
export const yourBookingAt = (price: number) => `Your booking at $${price}`;
export const amount = (price: number) => `$${price}`;
export const loading = "Loading";
export const bookingNotFound = "There is no such booking";
export const toDashboard = "Go to your dashboard";

/** The order's summary. */
export const yourBooking = "Your booking";
export const phone = "Phone";
export const brand = "Brand";
export const price = "Price";
export const payment = "Payment";
/** Before the time left. */
export const heldForYou = "Held for you";
export const refunded = "Refunded";
/** The card was charged, and the payment is not recorded yet. */
export const charged = "Charged";

export const cardForm = "Card payment";
export const card = "Card";
export const cardFormFailed = "The card form could not be loaded.";
export const resultUnknown =
  "The card provider could not be reached, so we can't tell yet whether your card was charged. " +
  "Press Pay again: we check first, so you are never charged twice.";
export const notCompleted = "The payment was not completed. Please try again.";

/** The results, in place of the form. */
export const processing = "Your payment is being processed";
export const processingLead =
  "You don't need to pay again. This page updates when the payment is complete; you can also leave it.";
export const recording = "Your card was charged; we are recording the payment";
export const recordingLead =
  "You don't need to pay again. The payment is recorded even if you leave this page.";
export const complete = "Your payment is complete";
export const completeLead = "The phone is yours. The seller has your contact details and will be in touch.";
export const refundedLead = "Your payment for this phone has been refunded in full.";
export const expired = "The time to pay has run out";
export const expiredLead =
  "This booking was not paid in time. The phone goes to the next person in line, or is for sale again.";
export const cancelled = "This booking was cancelled";
export const cancelledLead =
  "There is nothing to pay. The phone goes to the next person in line, or is for sale again.";
export const closed = "This payment was cancelled";
export const closedLead = "Your card was not charged. If the phone is still held for you, try again.";
export const notPayable = "This booking can't be paid right now";
export const unrecorded = "Your card was charged, but the payment could not be recorded";
export const unrecordedLead =
  "You don't need to pay again. Keep the transaction id until My Orders shows the phone as paid.";
export const transaction = "Transaction id: {id}";
export const toOrder = "See your order";
export const toOrders = "Go to My Orders";
export const tryAgain = "Try again";
