import { duration, within } from "./duration";

/** What the market promises a buyer: its deadlines in seconds, and how it pays the sellers. */
export interface Promises {
  hold: number;
  sendWithin: number;
  transit: number;
  settleAfter: number;
  payouts: string;
}

/** Where the market does not pay the sellers, it cannot say that it holds the money. */
const ifHeld = ({ payouts }: Promises, ...sentences: string[]) => (payouts === "off" ? [] : sentences);

const untilChecked = ({ settleAfter }: Promises) =>
  `We hold your money until you have the phone and ${duration(settleAfter)} to check it.`;

/** Where a phone is booked. */
export const toBook = (promises: Promises) =>
  [
    `Free to book. Pay within ${within(promises.hold)}.`,
    ...ifHeld(promises, "We hold your money until you have the phone."),
  ].join(" ");

/** To the buyer who has booked it. */
export const toKeep = (promises: Promises) =>
  ["Pay to keep it.", ...ifHeld(promises, untilChecked(promises))].join(" ");

/** Where it is paid, for each way to get it. */
export const toPay = {
  meet: (promises: Promises) =>
    [
      ...ifHeld(promises, untilChecked(promises)),
      `If the seller does not hand it over within ${duration(promises.sendWithin)}, you get your money back.`,
    ].join(" "),
  send: (promises: Promises) =>
    [
      ...ifHeld(
        promises,
        untilChecked(promises),
        `If you tell us nothing, it goes to the seller ${duration(promises.transit + promises.settleAfter)} after it was sent.`,
      ),
      `If it is not sent within ${duration(promises.sendWithin)}, you get your money back.`,
    ].join(" "),
};

/** The way of an order, on Home. */
export const howItWorks = "How it works";
export const steps = (promises: Promises) => [
  {
    title: "Book a phone for free",
    text: `It is held for you for ${within(promises.hold)}. Everyone sees at once that it is booked.`,
  },
  {
    title: "Pay by card",
    text: [
      ...ifHeld(promises, "We hold your money until you have the phone."),
      `If it is not sent or handed over within ${duration(promises.sendWithin)}, you get your money back.`,
    ].join(" "),
  },
  {
    title: "Get your phone",
    text: [
      "Meet the seller, or have it sent to you.",
      ...ifHeld(promises, `You have ${duration(promises.settleAfter)} to check it. Then we pay the seller.`),
    ].join(" "),
  },
];
