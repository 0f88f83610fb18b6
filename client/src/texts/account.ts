import { dateFormat, plural } from "./language";

export const title = "Your account";
export const kept = "Your data";
/** The label of each figure. */
export const signIns = "Signed-in browsers";
export const phones = "Phones";
export const orders = "Orders";
export const payments = "Payments";
export const reports = "Reports you made";
export const deeds = "Admin actions about you";
export const count = (n: number) => plural(n, { one: "#", other: "#" });
const day = dateFormat({ day: "numeric", month: "long", year: "numeric" });
/** `{email}` is the account's address. */
export const since = "{email}, since {day}";
export const dayOf = (time: string) => day(new Date(time));
export const download = "Download my data";
export const downloadHint = "Everything we store about you, in one JSON file. Your password is not included.";

export const leave = "Delete your account";
export const leaveEnds = "You will be signed out everywhere, and your unpaid bookings will be cancelled.";
export const leaveShop = "Your unsold phones will be removed from the market.";
export const leaveStays =
  "Paid orders are kept for our records without your name, address and phone number. The payment provider keeps what the law requires.";
export const leaveForGood = "This can't be undone, but you can sign up again.";
export const password = "Password";
export const passwordHint = "To confirm that it's you";
export const confirm = "Email";
export const confirmHint = "Type your email address to confirm";
export const leaveNow = "Delete my account";
export const left = "Your account has been deleted.";
export const adminStays =
  "An admin account can't be deleted. Ask the operator to remove your admin role first.";
