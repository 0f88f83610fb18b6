import { money } from "./language";

/** What the booking dialog says. */
export const title = (phone: string) => `Book ${phone}`;
export const userName = "User Name";
export const email = "Email";
export const productName = "Product Name";
export const price = "Price";
export const phone = "Phone";
export const phoneRequired = "Phone is required";
/** What is wrong with a phone number: other characters, too few digits, too long. */
export const phoneSigns = "Use digits, spaces and + ( ) - . only";
export const phoneShort = "Enter at least 6 digits";
export const phoneLong = "Use at most 20 characters";
export const location = "Location";
export const locationHint = "Optional: where you would like to meet";
export const confirm = "Confirm booking";
export const confirmed = "Booking Confirmed";
export const payNow = "Pay now";

/** The phone was lost while the dialog was open. */
export const taken = "This phone has just been booked.";
export const gone = "This phone is no longer for sale.";
/** After the login, in place of the dialog. */
export const alreadyBooked = "This phone is already booked.";
export const kept = "Your details have been kept.";
export const availableAgain = "This phone is available again. You can book it.";

/** The price was changed while the dialog was open. */
export const newPrice = (before: number, now: number) =>
  `The price has changed from ${money(before)} to ${money(now)}.`;
export const agree = (now: number) => `Accept ${money(now)}`;

/** Something else of it was changed while the dialog was open. */
export const changed = "The seller has updated this phone. Please review the changes before you book.";
export const whatChanged = "What has changed";
export const condition = "Condition";
export const description = "Description";
/** Read out before what it was, and before what it is. */
export const before = "Before: ";
export const now = "Now: ";
export const agreeChanges = "Accept the changes";

/** Free phones like the one that was lost. */
export const similar = "Similar phones available";
export const searching = "Looking for similar phones";
export const choose = (name: string, cost: number, condition: string) =>
  `Book ${name} instead, ${money(cost)}, ${condition}`;
export const chosen = (name: string) => `You are booking ${name} now.`;
export const noneSimilar = "No similar phones are available right now.";
export const similarFailed = "Similar phones could not be loaded.";
export const allOf = (brand: string) => `All ${brand} phones`;
export const tryAgain = "Try again";

/** The buyer may not hold (this) one now. */
export const toOrders = "Go to My Orders";
