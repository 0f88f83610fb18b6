export { earnings as title } from "./screenNames";

export const loading = "Loading your earnings";
/** How sellers are paid, by the market's setting. */
export const payouts = {
  manual: "Once an order is completed, the market's team pays you and enters the payment's reference here.",
  stripe: "Once an order is completed, the money is sent to your account at Stripe.",
  off: "This market does not pay sellers out. Agree on the payment with the market's team.",
};

/** The seller's account at Stripe, and its setup there. */
export const accountReady = "Your account at Stripe is ready: you can be paid out.";
export const setup = {
  none: {
    title: "You cannot be paid out yet",
    hint: "Set up an account at Stripe. It asks who you are and where your money should go.",
    action: "Set up payouts",
  },
  pending: {
    title: "Your account at Stripe is not ready yet",
    hint: "Complete its setup. If you have done that, Stripe is checking what you entered, and you have to do nothing.",
    action: "Continue setup",
  },
};

/** The figures, with a note each. */
export const earned = "Earned";
export const earnedNote = "from completed orders, after the commission";
export const waiting = "Waiting";
export const waitingNote = "not completed, or not paid out yet";
/** In place of it where it is negative. */
export const owed = "You owe";
export const owedNote = "paid out to you, and then refunded to the buyer";
export const paidOut = "Paid out";
export const paidOutNote = "sent to you";

export const caption = "Your sales";
/** The columns. */
export const phone = "Phone";
export const price = "Price";
export const commission = "Commission";
export const net = "Yours";
export const state = "State";
export const changed = "Last change";
/** What became of the money of a sale. */
export const states = {
  waiting: "Not completed yet",
  due: "To be paid out",
  paidOut: "Paid out",
  refunded: "Refunded to the buyer",
  debt: "You owe this",
};
export const reference = (text: string) => `Reference: ${text}`;

export const empty = "You have not sold a phone yet";
export const emptyHint = "Sales appear here as soon as a buyer has paid.";
export const myProducts = "Go to My Products";
