import { plural } from "./language";

export { since } from "./duration";
export { theBuyer, theSeller } from "./moneyActions";
export { cancelled, expired, refunded } from "./orderStatus";
export { payFor } from "./payFor";
export { dashboard as title, findPhone } from "./screenNames";

export const pay = "Pay";

/** The buyer's dashboard: what to pay, what is on its way, and where the money is. */
export const buyer = "Your orders right now";
export const heldForYou = "Held for you";
export const nothingHeld =
  "You have no unpaid bookings. Press Book Now on a phone, and it is held for you while you pay.";
export const onItsWay = "On its way to you";
export const weHold = (sum: string) => `We hold your ${sum} until you have the phone`;
export const toPay = "To pay";
export const toPayNote = "for phones that are held for you";
export const withUs = "With us";
export const withUsNote = "until you have the phone";
export const spent = "Spent";
export const spentNote = "on paid orders";
export const bought = "Bought";
export const paid = "Paid";
export const paidNote = "paid orders";
export const seeOrder = "See the order";
export const seeOrderOf = (phone: string) => `See the order of ${phone}`;

/** The seller's dashboard: what to hand over, what is held, and what nobody looks at. */
export const seller = "Your phones right now";
export const listPhone = "List a phone";
export const toHandOver = "To hand over";
export const nothingToHandOver =
  "Nothing to hand over. When a buyer has paid, it says here what to do and by when.";
export const handOver = { meet: "Meet", send: "Send it" };
export const paidBy = (buyer: string, day: string, until: string) =>
  `${buyer} paid on ${day}. Hand it over by ${until}.`;
export const noLongerWaiting = "You have nothing to do for this one.";
export const noPhones = "You have no phones for sale yet. Listing your first one takes two minutes.";
export const heldForBuyer = "Held for a buyer";
export const availableAgain = "Available again";
export const overlooked = "Nobody watches these";
export const listedFor = (price: string, day: string) => `${price} · listed on ${day}`;
export const lowerTo = (price: string) => `Lower to ${price}`;
export const lowered = "Lowered";
export const loweredTo = (price: string) => `The price is ${price} now`;
export const onSale = "Available";
export const onSaleNote = (sum: string) => `asking ${sum}`;

/** The admin's dashboard: a queue of all that there is to do. */
export const admin = "SecondRing right now";
export const toDo = "To do, oldest first";
export const nothingToDo = "There is nothing to do: no problem, payout, report or seller waits for you.";
export const taskDone = "Done";
export const taskTitles = {
  problem: (phone: string) => `Problem: ${phone}`,
  late: (phone: string) => `Late: ${phone}`,
};
export const decide = "Decide";
export const fromTo = (buyer: string, seller: string) => `${buyer} buys from ${seller}`;
export const payOut = (sum: string, seller: string) => `Pay ${sum} to ${seller}`;
export const orders = (count: number) => plural(count, { one: "# order", other: "# orders" });
export const verify = (name: string) => `New seller: ${name}`;
export const reported = (phone: string, count: number) =>
  plural(count, { one: `Reported: ${phone}`, other: `Reported # times: ${phone}` });
export const seeReports = "Reports";
export const seeReportsOf = (phone: string) => `See the reports of ${phone}`;

/** The title of an entry of the menu. */
export const waitHere = (count: number) => plural(count, { one: "# waits for you", other: "# wait for you" });
/** In place of a row whose phone, order, seller or report was removed. */
export const noLongerAvailable = "No longer available";
/** Beside the title of a list that shows its first rows only. */
export const more = (count: number) => plural(count, { one: "and # more", other: "and # more" });
