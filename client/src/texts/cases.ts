import { shortMinute } from "./dates";
import { duration } from "./duration";
import { number, plural } from "./language";

export { ruleNames as rules } from "./decisions";
export { since } from "./duration";
export { cases as title } from "./screenNames";

/** What a case is about. */
export const kinds = { product: "Phone", person: "Person", picture: "Picture", thread: "Conversation" };
/** The list: what it shows, by `state` in the address. */
export const show = "Show";
export const choices = { "": "To decide", decided: "Decided", closed: "Closed" };
export const picture = "Picture";
export const what = "What";
export const reports = "Reports";
export const waiting = "Since";
export const state = "State";
export const act = "Open";
export const openCase = "Open the case";
export const openCaseOf = (name: string) => `Open the case: ${name}`;
export const about = (kind: string, person: string) => `${kind} of ${person}`;
export const named = (kind: string, name: string) => `${kind}: ${name}`;
export const counted = (count: number) => plural(count, { one: "# report", other: "# reports" });
export const newAccount = "New account";
export const newAccountHint = "Every report is from an account younger than a day";
export const empty = { "": "No case waits for you", decided: "No decided cases", closed: "No closed cases" };
export const emptyHint = {
  "": "New reports and appeals appear here as soon as they are made.",
  decided: "Decisions that can be appealed are here for 180 days.",
  closed: "Cases that nothing can change any more are kept for 400 days.",
};
export const states = {
  open: "To decide",
  appealed: "Asks to look again",
  decided: "Decided",
  closed: "Closed",
};

/** The page of a case. */
export const titleOf = (name: string) => `Case: ${name}`;
export const loading = "Loading the case";
export const notFound = "There is no such case";
export const notFoundLead = "Cases are deleted after 400 days.";
export const reported = "What was reported";
export const asThen = "As it was when it was first reported";
export const noCopy = "The 180 days for an appeal are over. What was reported is deleted.";
export const pictureAlt = (place: number) => `Reported picture ${place}`;
export const pictureOf = (name: string) => `Picture of ${name}`;
export const facts = {
  brand: "Brand",
  price: "Price",
  condition: "Condition",
  storage: "Storage",
  joined: "Here since",
  seller: "Seller",
};
export const gigabytes = (count: number) => `${number(count)} GB`;
export const verified = "Verified";
export const notVerified = "Not verified";
export const description = "Description";
export const quotes = "The conversation";
export const seePhone = "See the phone";
export const seePerson = (name: string) => `See ${name}`;
export const gone = {
  product: "The phone is not on the market now",
  picture: "The picture is not here any more",
  person: "This account is not here any more",
  thread: "This account is not here any more",
};
export const allReports = (count: number) => plural(count, { one: "# report", other: "# reports" });
export const moreReports = (count: number) => plural(count, { one: "and # more", other: "and # more" });
export const byAt = (name: string, at: string) => `${name || "Somebody who has left"}, ${shortMinute(at)}`;
export const young = "Account younger than a day";
export const earlier = "Other cases about this person";
export const noEarlier = "There are none.";

/** What an admin decides. */
export const decide = "Your decision";
export const choose = "What do you decide?";
export const decisions = {
  keep: "Nothing changes",
  warn: "Warn",
  remove: "Remove",
  suspend: "Suspend",
  close: "Close the account",
};
export const removes = { product: "Remove the phone", picture: "Remove the picture" };
/** What a decision does, below its name. */
export const effects = {
  keep: "The case is closed. Those who reported hear that nothing changed.",
  warn: "They read the rule and your words. Nothing else changes.",
  remove: {
    product:
      "The phone is hidden. Bookings, waits and offers end, and payments are refunded. It comes back after a successful appeal.",
    picture: "The picture is taken down for good.",
  },
  suspend: "They cannot list, buy or write, and their phones are hidden until then. Paid orders go on.",
  close: "They cannot log in, and their phones are hidden. It is erased after 180 days without an appeal.",
};
export const unfounded = "The reports were unfounded";
export const unfoundedHint = "After three of those within 30 days a person cannot report for 30 days.";
export const days = "For how long?";
export const daysOf = (count: number) => duration(count * 86_400);
export const rule = "The rule";
export const words = "Your words to them";
export const wordsHint = "Say what breaks the rule, and what they can do. 20 characters at least.";
export const length = (count: number, min: number, max: number) =>
  count < min
    ? `${number(count)} of at least ${min} characters`
    : `${number(count)} of ${number(max)} characters`;
export const preview = "This is what they will read";
export const nobodyReads = "Nobody is told: we do not know who uploaded a picture.";
export const submit = "Decide";
export const decided = "Decided";
export const decisionMissing = "Please choose what to decide";
export const ruleMissing = "Please choose a rule";
export const wordsShort = (min: number) => `Please write at least ${min} characters`;
export const wordsLong = (max: number) => `Please write at most ${number(max)} characters`;

/** A decision. */
export const decision = "The decision";
export const decidedBy = (name: string, at: string) => `${name}, ${shortMinute(at)}`;
export const suspendedFor = (until: string) => `until ${shortMinute(until)}`;
export const wasUnfounded = "The reports were unfounded.";

/** An appeal. */
export const appeal = "The appeal";
export const appealedAt = (name: string, at: string) => `${name}, ${shortMinute(at)}`;
export const answerAppeal = "Look again";
export const outcomes = { upheld: "Uphold", reversed: "Take back" };
export const outcomeEffects = {
  upheld: "The decision stays. The case is closed.",
  reversed: "What was hidden comes back. Bookings, waits, offers and pictures do not.",
};
export const outcomeMissing = "Please choose one";
export const answered = { upheld: "The decision was upheld", reversed: "The decision was taken back" };
export const appealAnswered = "Answered";
