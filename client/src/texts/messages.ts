import { dollars } from "./money";

export { messages as title } from "./screenNames";

/** The link in the bar. */
export const bar = (unread: number) => (unread === 0 ? "Messages" : `Messages, ${unread} unread`);
/** A message that arrives while another screen is open. */
export const arrived = (name: string, text: string) => `New message from ${name}: ${text}`;

/** The list. */
export const list = "Conversations";
export const loading = "Loading your messages";
export const empty = "No messages yet";
export const emptyHint = "Ask the seller of a phone what you want to know. Your conversations stand here.";
export const emptyOffers = "Nobody has asked about this phone or made an offer yet";
export const choose = "Choose a conversation";
export const unread = (count: number) => `${count} unread`;
export const you = (text: string) => `You: ${text}`;
export const about = (phone: string) => `About ${phone}`;
export const allConversations = "All conversations";
export const ofPhone = (phone: string) => `Offers and questions: ${phone}`;

/** Above a conversation. */
export const withPerson = (name: string) => `Conversation with ${name}`;
export const back = "Messages";
export const verified = "Checked by SecondRing";
export const removed = "No longer for sale";
export const sold = "Sold";
export const booked = "Booked";
export const available = "Available";
export const notFound = "There is no such conversation";

/** The first line of every conversation. */
export const safety =
  "Stay safe: pay here only. We hold the money until the buyer has the phone. Nobody from SecondRing asks for a password or a code.";
export const earlier = "Show earlier messages";
export const lines = "Messages";
export const byYou = "You";

/** The three questions that begin most conversations. */
export const questions = [
  "Is it still available?",
  "Does it have any faults that the photos do not show?",
  "Where and when could we meet?",
];
export const quick = "Questions that many people ask";

/** Writing. */
export const write = "Your message";
export const send = "Send";
export const sending = "Sending";
export const waiting = "Waits for the one before";
export const notSent = "Not sent";
export const again = "Try again";
export const edit = "Edit";
export const sendAnyway = "Send anyway";
export const tooLong = (max: number) => `Use at most ${max} characters`;
export const closed = "This conversation is closed.";
export const blockedByYou = "You have blocked this person.";
export const unblock = "Unblock";
export const findings = {
  contact:
    "Email addresses cannot be sent before the phone is paid. After that you see each other's contact data.",
  link: "Links to other sites cannot be sent. Many of them lead to fraud.",
  contact_warning:
    "This looks like a phone number or another messenger. Outside of SecondRing we cannot hold your money. Once the phone is paid you see each other's contact data.",
};

/** Block and report. */
export const more = "More";
export const block = "Block";
export const blockQuestion = (name: string) => `Block ${name}?`;
export const blockConsequence =
  "You get no messages and offers from each other, and the offers between you end. Nobody is told. You can unblock them here and in Your account.";
export const blocked = (name: string) => `${name} is blocked`;
export const unblocked = (name: string) => `${name} is not blocked any more`;
export const report = "Report";
export const reportTitle = (name: string) => `Report ${name}`;
export const reportHint =
  "The admins see the newest five messages of the other side, and two lines before and after each.";
export const reason = "Reason";
export const reasonRequired = "Reason is required";
export const sendReport = "Send report";
export const reported = "Thank you. An admin will look at it";
export const nothingToReport = "There is no message of the other side yet";

export { makeOffer } from "./ask";

/** The form of an offer. */
export const yourPrice = "Your price";
export const priceHint = (least: number, most: number) => `From ${dollars(least)} to ${dollars(most)}`;
export const priceRequired = "Your price is required";
export const offerText = "Message (optional)";
export const offerRule = (hours: number) =>
  `The seller has a day to answer. If they accept, the phone is booked for you for ${hours} hours. You pay nothing now.`;
export const sendOffer = "Send offer";
export const offerSent = (price: number) => `Your offer of ${dollars(price)} was sent`;
export const cancel = "Cancel";

/** An offer. */
export const offer = (price: number) => `Offer: ${dollars(price)}`;
export const asks = (price: number, listPrice: number) =>
  `${dollars(price)} asked, ${dollars(listPrice)} on the list`;
export const offered = (price: number, listPrice: number) =>
  `${dollars(price)} offered for ${dollars(listPrice)}`;
export const status = {
  open: "Open",
  countered: "Other price",
  accepted: "Accepted",
  declined: "Declined",
  withdrawn: "Withdrawn",
  expired: "Expired",
  lapsed: "Not paid in time",
  gone: "Ended",
};
export const accept = (price: number) => `Accept ${dollars(price)}`;
export const decline = "Decline";
export const counter = "Ask another price";
export const counterPrice = "Price that you ask";
export const sendCounter = "Send price";
export const withdraw = "Withdraw";
export const pay = "Pay";
export const payNow = (price: number) => `Pay ${dollars(price)}`;
export const heldFor = "Yours until";
export const bookedFor = "Booked until";
export const answered = {
  accept: "Accepted. The phone is booked",
  decline: "Declined",
  counter: "Your price was sent",
  withdraw: "Your offer is withdrawn",
};
/** The section of My Orders. */
export const myOffers = "Your offers";

/** In Your account. */
export const blockedPeople = "Blocked people";
export const blockedHint = "They cannot write to you, and you cannot write to them.";
