export { payment as title } from "./screenNames";

// The specification's texts. It writes prices without a separator, and the other texts of this screen do the same.
export const heading = (phone: string) => `Payment for ${phone}`;
export const pleasePay = (total: number) => `Please pay $${total} for your booking`;
export const pay = "Pay";
export const paid = "Paid";
export const congratulations = "Congrats! Your Payment Completed";

/** In place of the specification's text when there is nothing to pay. */
export const youPaid = (total: number) => `You have paid $${total}`;
export const yourBookingAt = (total: number) => `Your booking at $${total}`;
export const amount = (dollars: number) => `$${dollars}`;
export const loading = "Loading";
export const bookingNotFound = "There is no such booking";
export const toDashboard = "Go to your dashboard";

/** The order's summary. */
export const yourBooking = "Your booking";
export const phone = "Phone";
export const brand = "Brand";
export const price = "Price";
export const postage = "Postage";
/** In place of the postage if the two sides meet. */
export const noPostage = "None";
export const total = "Total";
export const payment = "Payment";
/** Before the time left. */
export const heldForYou = "Held for you";
export const refunded = "Refunded";
/** The card was charged, and the payment is not recorded yet. */
export const charged = "Charged";

/** How the buyer gets the phone. */
export const deliveryQuestion = "How do you want to get the phone?";
/** If there is nothing to choose. */
export const deliveryTitle = "How you get the phone";
const choices = { meet: "Meet the seller", send: "Sent to you" };
export const choiceFor = (delivery: keyof typeof choices, total: number) =>
  `${choices[delivery]}: ${amount(total)}`;
export const onlyMeet = "You meet the seller. You agree on the time and the place after you have paid.";
export const onlySend = (postage: number) =>
  postage > 0
    ? `The seller sends you the phone. Postage is ${amount(postage)}.`
    : "The seller sends you the phone. Postage is free.";
export const addressForm = "Your address";
export const addressLabels = {
  name: "Name",
  street: "Street and number",
  postcode: "Postcode",
  town: "Town",
};
export const townHint = "With the country, if it is another one";
export const isRequired = (label: string) => `${label} is required`;
export const remember = "Remember this address for my next order";
export const useAddress = "Use this address";
export const keepAddress = "Keep the address";
export const sentTo = "The phone is sent to:";
export const changeAddress = "Change";
export const changeAddressName = "Change the address";
export const addressSaved = "The address is saved";
export const addressNotLoaded = "The address could not be loaded.";
/** Below a Pay button that is not enabled. */
export const addressFirst = "You can pay when the address is saved.";

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
export const completeLead = (seller: string) =>
  `It's paid. Now get your phone from ${seller}. We keep your money until you have it.`;
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
