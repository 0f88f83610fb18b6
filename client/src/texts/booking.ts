import { colour, gigabytes, storage } from "./catalog";
import { dollars } from "./money";

export { colour, storage };

/** The texts of the booking dialog. */
export const title = (phone: string) => `Book ${phone}`;
export const userName = "User Name";
export const email = "Email";
export const productName = "Product Name";
export const price = "Price";
export const phone = "Phone";
export const phoneRequired = "Phone is required";
/** The errors of a phone number. */
export const phoneInvalidCharacters = "Use digits, spaces and + ( ) - . only";
export const phoneTooShort = "Enter at least 6 digits";
export const phoneTooLong = "Use at most 20 characters";
export const location = "Location";
export const locationHint = "Optional: where you would like to meet";
export const confirm = "Confirm booking";
export const confirmed = "Booking Confirmed";
export const payNow = "Pay now";

/** The buyer has booked or paid for it: in another tab, by a call whose answer was lost, or at their turn. */
export const yours = "You have booked it.";
export const yoursPaid = "You have bought it.";

/** The phone was booked or removed while the dialog was open. */
export const taken = "This phone has just been booked.";
export const removed = "This phone is no longer for sale.";
/** After the login, in place of the dialog. */
export const alreadyBooked = "This phone is already booked.";
export const detailsKept = "Your details have been kept.";
export const availableAgain = "This phone is available again. You can book it.";

/** The price was changed while the dialog was open. */
export const newPrice = (before: number, now: number) =>
  `The price has changed from ${dollars(before)} to ${dollars(now)}.`;
export const acceptPrice = (now: number) => `Accept ${dollars(now)}`;

/** Another field was changed while the dialog was open. */
export const changed = "The seller has updated this phone. Please review the changes before you book.";
export const whatChanged = "What has changed";
export const condition = "Condition";
export const description = "Description";
/** A field that the seller has not entered. */
const notSpecified = "Not specified";
export const colourOf = (words: string | undefined) => words || notSpecified;
export const storageOf = (size: number | undefined) => (size ? gigabytes(size) : notSpecified);
/** Read out before the old and the new value. */
export const before = "Before: ";
export const now = "Now: ";
export const acceptChanges = "Accept the changes";

/** Available phones that are similar to the one that was booked. */
export const similar = "Similar phones";
export const searching = "Looking for similar phones";
export const bookInstead = (name: string, cost: number, condition: string) =>
  `Book ${name} instead, ${dollars(cost)}, ${condition}`;
export const nowBooking = (name: string) => `You are booking ${name} now.`;
export const noneSimilar = "No similar phones are available right now.";
export const similarFailed = "Similar phones could not be loaded.";
export const allPhonesOf = (brand: string) => `All ${brand} phones`;
export const tryAgain = "Try again";

/** Saves a search for phones like the one that was booked. */
export const watchModel = "Watch this model";
export const modelSaved = "Saved";
export const modelWatched = (model: string) => `We will tell you when another ${model} is for sale.`;

/** The device is offline, so the booking was not sent. */
export const offline = "You're offline. Nothing was booked.";

/** The buyer may not book this phone now. */
export const toOrders = "Go to My Orders";
