import { dateFormat, plural } from "./language";

export const title = "Your account";
export const kept = "What we keep on you";
/** What stands beside each figure. */
export const signIns = "Signed-in browsers";
export const phones = "Phones";
export const orders = "Orders";
export const payments = "Payments";
export const reports = "Reports you made";
export const deeds = "What admins did that concerns you";
export const count = (n: number) => plural(n, { one: "#", other: "#" });
const day = dateFormat({ day: "numeric", month: "long", year: "numeric" });
/** `{email}` is the account's address. */
export const since = "{email}, since {day}";
export const dayOf = (time: string) => day(new Date(time));
export const download = "Download my data";
export const downloadHint =
  "All of it in one file (JSON), for you alone. Your password is not in it: we don't know it.";

export const leave = "Delete your account";
export const leaveEnds =
  "You are signed out everywhere, at once, and what you have booked and not paid is let go.";
export const leaveShop = "Your unsold phones leave the market.";
export const leaveStays =
  "Paid orders stay in the books, without your name, address and phone number. The card provider keeps what the law asks of it.";
export const leaveForGood = "Nobody can bring the account back, but you can sign up again.";
export const password = "Password";
export const passwordHint = "To be sure that it is you";
export const confirm = "Email";
export const confirmHint = "Type your email address, to be sure that it is you";
export const leaveNow = "Delete my account";
export const left = "Your account is deleted. Goodbye!";
export const adminStays = "An admin's account can't be deleted. Ask the operator to make you no admin first.";
