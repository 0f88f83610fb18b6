import { longDay, longMinute } from "./dates";

export { decisions as title } from "./screenNames";

/** The names of the rules, in the order in which screens offer them. */
export const ruleNames: Record<string, string> = {
  stolen: "Stolen",
  counterfeit: "A copy",
  not_as_shown: "Not as shown",
  fake_price: "Not the real price",
  contact: "Contact or payment elsewhere",
  insult: "Insult or threat",
  spam: "Advertising",
  forbidden: "Not allowed here",
  other: "Something else",
};

/** What each rule says, as market/case.go has it. */
const sentences: Record<string, string> = {
  stolen: "Stolen phones are not sold here.",
  counterfeit: "Copies are not sold as originals.",
  not_as_shown: "A phone is what its photos and texts show.",
  fake_price: "A price is what the phone costs.",
  contact: "Contact data and payments stay on this site until a phone is paid.",
  insult: "Nobody is insulted or threatened.",
  spam: "Nobody advertises or writes the same to many.",
  forbidden: "Only used phones are sold here, and nothing that the law forbids.",
  other: "People deal honestly with one another.",
};
export const theRule = (rule: string) => `The rule: ${sentences[rule] ?? sentences.other}`;
/** Above the words of the admin. */
export const inWords = "In the words of the admin:";
export const byPerson = "A person has decided this, not a program.";

/** What was decided, to the person concerned; the letter says the same. */
export function whatOf({
  decision,
  target,
  until,
}: {
  decision: string;
  target: { kind?: string; name: string };
  until?: string;
}) {
  switch (decision) {
    case "remove":
      return `We have removed your ${target.name}. Nobody but you and our admins can see it.`;
    case "suspend":
      return `You cannot list, buy or write until ${longMinute(until ?? "")}. Until then your phones are hidden; then they are shown again.`;
    case "close":
      return "We have closed your account. You cannot log in, and your phones are hidden.";
    default:
      return `This is a warning about ${target.kind === "person" ? "your account" : target.name}. Nothing else changes.`;
  }
}

/** The screen of the person concerned. */
export const loading = "Loading the decisions";
export const intro =
  "What our admins have decided about you, and why. You can ask us once to look at each decision again.";
export const none = "There are no decisions about you";
export const noneHint =
  "If an admin ever decides something about you or your phones, you can read here what and why.";
export const decidedOn = (at: string) => `Decided on ${longDay(at)}`;
export const lookAgain = "Ask us to look again";
export const lookAgainOf = (what: string) => `${lookAgain}: ${what}`;
export const yourText = "Why should we look again?";
export const textHint = "Say what we have overlooked. Where we can, somebody else decides this time.";
export const textMissing = "Please tell us why";
export const until = (day: string) => `You can ask until ${longDay(day)}.`;
export const tooLate = "The time to ask us to look again is over.";
export const send = "Send";
export const cancel = "Cancel";
export const sent = "Thank you. Somebody will look at it again.";
export const youWrote = "You asked us to look again:";
export const states = {
  open: "Somebody will look at it again.",
  upheld: "We have looked again. The decision stays.",
  reversed: "We have looked again, and taken the decision back.",
};

/** Above all screens of the dashboard of somebody who is suspended. */
export const suspendedUntil = (at: string) => `You cannot trade until ${longDay(at)}.`;
export const readWhy = "Read why";

/** /appeal: the same without a login. */
export const appealLead =
  "You can ask us once to look at our decision again. You do not need to log in. We answer by email.";
export const linkGone =
  "This link does not work any more. You can ask us to look again once, within 180 days. If you can log in, your decisions are in your account.";
export const toDecisions = "See your decisions";
export const toHome = "Go to the start page";
/** In place of the login form. */
export const closedTitle = "This account is closed";
export const otherAccount = "Log in with another account";
