export { earnings as title } from "./screenNames";

export const loading = "Loading your earnings";
/** How sellers are paid, by the market's setting. */
export const payouts = {
  manual: "Once an order is completed, we pay you and show the payment's reference here.",
  stripe: "Once an order is completed, we send the money to your Stripe account.",
  off: "We do not pay out through this page. Please agree with us how you are paid.",
};

/** The seller's account at Stripe, and its setup there. */
export const accountReady = "Your Stripe account is ready. We can pay you.";
export const setup = {
  none: {
    title: "We can't pay you yet",
    hint: "Set up a Stripe account. Stripe asks who you are and where your money should go.",
    action: "Set up payouts",
  },
  pending: {
    title: "Your Stripe account is not ready yet",
    hint: "Complete its setup. If you've finished, Stripe is checking your details.",
    action: "Continue setup",
  },
};

/** The figures, with a note and a link to their sales each; by the state of these. */
export const figures = {
  waiting: {
    label: "Waiting for handover",
    note: "paid, and not completed yet; before the commission",
    link: "See what waits",
  },
  due: {
    label: "To be paid out",
    note: "from completed orders, after the commission",
    link: "See what is due",
  },
  paidOut: { label: "Paid out", note: "sent to you", link: "See what was paid out" },
  debt: {
    label: "You owe",
    note: "paid out to you, and then refunded to the buyer",
    link: "See what you owe",
  },
};

export const caption = "Your sales";
/** The sales of one state. */
export const captionOf = (state: string) => `Your sales: ${state}`;
export const showAll = "Show all sales";
export const noneOfState = "No sales are in this state now.";
/** The columns. */
export const phone = "Phone";
export const price = "Price";
/** Under the price, if the phone is sent. */
export const plusPostage = (sum: string) => `plus ${sum} postage`;
export const commission = "Commission";
export const net = "You receive";
export const state = "State";
export const changed = "Last change";
/** What became of the money of a sale. */
export const states = {
  waiting: "Waiting for handover",
  due: "To be paid out",
  paidOut: "Paid out",
  refunded: "Refunded to the buyer",
  debt: "You owe this",
  repaid: "Refunded to the buyer, and paid back by you",
};
export const reference = (text: string) => `Reference: ${text}`;

export const empty = "You have not sold a phone yet";
export const emptyHint = "Sales appear here as soon as a buyer has paid.";
export const myProducts = "Go to My Products";
