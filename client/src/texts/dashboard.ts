import { plural } from "./language";

export { since } from "./duration";
export { theBuyer, theSeller } from "./moneyActions";
export { cancelled, expired, refunded } from "./orderStatus";
export { payFor } from "./payFor";
export { dashboard as title, findPhone } from "./screenNames";

export const pay = "Pay";

/** What there is to do now, for buyers and sellers. */
export const next = "What comes next";
export const seeOrder = "See the order";
export const seeOrderOf = (phone: string) => `See the order of ${phone}`;
export const paid = "Paid";

/** An offer that waits for an answer. */
export const answerOffer = (sum: string, phone: string) => `Answer the offer of ${sum} for ${phone}`;
export const answerPrice = (sum: string, phone: string) => `Answer: the seller asks ${sum} for ${phone}`;
export const listedAt = (sum: string) => `Listed for ${sum}. Time to answer: `;
export const offerAnswered = "This offer no longer waits for you.";
export const answer = "Answer";
export const seeMessages = "See messages";
export const seeMessagesAbout = (phone: string) => `See the messages about ${phone}`;

/** The buyer's dashboard: where the money is, what to pay and what is on its way. */
export const buyer = "Your orders right now";
export const nothingHeld =
  "You have no unpaid bookings. Press Book Now on a phone, and it is held for you while you pay.";
/** Before the time left. */
export const heldUntilPaid = (sum: string) => `Held for you. Pay ${sum} to keep it: `;
export const weHold = (sum: string) => `We hold your ${sum} until you have the phone`;
export const toPay = "To pay";
export const withUs = "Held by us";
export const spent = "Spent";

/** The seller's dashboard: where the money is, what to hand over, what is held, and what nobody watches. */
export const seller = "Your phones right now";
export const listPhone = "List a phone";
export const nothingToHandOver =
  "Nothing to hand over. When a buyer has paid, it says here what to do and by when.";
export const handOver = { meet: "Meet", send: "Send it" };
export const paidBy = (buyer: string, day: string, until: string) =>
  `To hand over. ${buyer} paid on ${day}; do it by ${until}, or the buyer gets the money back.`;
export const answerProblem = "Answer";
export const problemReported = (until: string) =>
  until ? `A problem is reported. Answer it by ${until}.` : "A problem is reported. You can still answer it.";
export const check = "Check it";
export const checkReturned = (until: string) =>
  `Check the returned phone by ${until}, or the buyer gets the money back.`;
export const noLongerWaiting = "You have nothing to do for this one.";
export const noPhones = "You have no phones for sale yet. Listing your first one takes two minutes.";
/** Before the time left. */
export const heldForBuyer = (sum: string) => `Held for a buyer who has to pay ${sum}: `;
export const availableAgain = "Available again";
export const listedFor = (price: string, day: string) => `Nobody watches it. ${price}, listed on ${day}.`;
export const lowerTo = (price: string) => `Lower to ${price}`;
export const lowered = "Lowered";
export const loweredTo = (price: string) => `The price is ${price} now`;
export const onSale = "Available";
export const phonesFor = (count: number, sum: string) => `${count} for ${sum}`;

/** The admin's dashboard: a queue of all that there is to do. */
export const admin = "SecondRing right now";
export const toDo = "To do, oldest first";
export const nothingToDo = "There is nothing to do: no problem, payout, case or seller waits for you.";
export const taskDone = "Done";
export const taskTitles = {
  problem: (phone: string) => `Problem: ${phone}`,
  late: (phone: string) => `Late: ${phone}`,
  dispute: (phone: string) => `Disputed at the bank: ${phone}`,
};
export const answerBefore = (time: string) => `answer before ${time}`;
export const decide = "Decide";
export const notAnswered = "not answered in time";
export const fromTo = (buyer: string, seller: string) => `${buyer} buys from ${seller}`;
export const payOut = (sum: string, seller: string) => `Pay ${sum} to ${seller}`;
export const markPaidOut = "Mark as paid out";
export const payOutTo = (seller: string) => `${markPaidOut}: ${seller}`;
export const orders = (count: number) => plural(count, { one: "# order", other: "# orders" });
export const verify = (name: string) => `New seller: ${name}`;
export const reported = (phone: string, count: number) =>
  plural(count, { one: `Reported: ${phone}`, other: `Reported # times: ${phone}` });
export const appealed = (name: string) => `Asks to look again: ${name}`;

/** The title of an entry of the menu. */
export const waitHere = (count: number) => plural(count, { one: "# waits for you", other: "# wait for you" });
/** In place of a row whose phone, order, seller or case was removed. */
export const noLongerAvailable = "No longer available";
/** Beside the title of a list that shows its first rows only. */
export const more = (count: number) => plural(count, { one: "and # more", other: "and # more" });
