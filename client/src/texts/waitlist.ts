import { duration } from "./duration";
import { clock, ordinal, plural } from "./language";

export { payFor } from "./payFor";

/** On a card and a phone's page, in the place of Book Now. */
export const join = "Join waitlist";
export const leave = "Leave waitlist";
/** A person's place on the waitlist. */
export const place = (position: number) => (position === 1 ? "You are next" : `${ordinal(position)} in line`);
/** On the photo, after "On hold". */
export const waiting = (count: number) => `${count} waiting`;
/** The same for screen readers. */
export const peopleWaiting = (count: number) =>
  plural(count, { one: "# person is waiting for it", other: "# people are waiting for it" });

/** On a phone's page: what happens when its buyer does not pay in time. */
export const goesToFirst = (count: number) =>
  count === 1
    ? "If the buyer doesn't pay in time, it goes to the person who is waiting for it."
    : `If the buyer doesn't pay in time, it goes to the first of ${count} people who are waiting for it.`;
export const youAreNext = "You are next: if the buyer doesn't pay in time, it is booked for you.";
export const youAreInLine = (position: number, count: number) =>
  `You are ${ordinal(position)} of ${count} in line. If the buyer doesn't pay in time, the phone goes to the first person in line.`;

/** The dialog. */
export const title = (phone: string) => `Wait for ${phone}`;
export const willBe = (position: number) =>
  position === 1 ? "You will be next in line." : `You will be ${ordinal(position)} in line.`;
/** Before the time left of another buyer's hold. */
export const onHold = "On hold:";
/** What happens at the person's turn; `seconds` is the time to pay, if it is known. */
export const rule = (seconds: number | undefined) =>
  `If the phone becomes available, it is booked for you${seconds ? `, and you have ${duration(seconds)} to pay` : ""}.`;
export const joined = (phone: string, position: number) =>
  position === 1 ? `You are next in line for ${phone}` : `You are ${ordinal(position)} in line for ${phone}`;
export const available = "This phone is available now.";
export const sold = "This phone has been sold.";

/** The question before leaving. */
export const leaveQuestion = "Leave the waitlist?";
export const leaveConsequence = (phone: string) => `You lose your place in line for ${phone}.`;
export const keep = "Keep my place";
export const left = (phone: string) => `You are no longer waiting for ${phone}`;

/** In the booking dialog of a phone that another buyer was faster to book. */
export const orWait = (position: number) =>
  position === 1 ? "You would be next in line." : `You would be ${ordinal(position)} in line.`;

/** The banner on every screen of the person whose turn it is. */
export const turn = "It's your turn";
export const bookedUntil = (phone: string, until: string) =>
  `${phone} is booked for you until ${clock(new Date(until))}`;
export const pay = "Pay";
export const dismiss = "Dismiss";

/** The section of My Orders. */
export const waitingFor = "Waiting for";
export const image = "image";
export const productName = "Product-Name";
export const price = "Price";
export const placeHeader = "Place";
export const action = "Waitlist";
export const leaveFor = (phone: string) => `Leave the waitlist for ${phone}`;
