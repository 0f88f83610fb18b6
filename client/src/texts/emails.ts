/** Opens and closes the choices. */
export const choose = "Choose emails";
export const title = "Emails about notifications";
export const intro =
  "An email “at once” is sent a minute later, and only if you have no page of the shop open by then.";
/** `time` is the hour of the daily emails in this browser's time zone. */
export const daily = (time: string) =>
  `“Once a day” is one email at ${time} with all that you have not read.`;
export const loading = "Loading your choices";
export const saving = "Saving…";
export const saved = "Saved";
export const noEmails = "This shop sends no emails at the moment. Your choices count once it does.";
export const confirmFirst =
  "You get these emails once you have opened the link in the email that we sent you.";

export const choices = { off: "Never", now: "At once", daily: "Once a day" };

/** When there is an email, by kind of notification. */
export const kinds: Record<string, string> = {
  booked: "Somebody books your phone",
  paid: "Your phone is sold",
  released: "A booking ends without a payment",
  verified: "You become a verified seller",
  turn: "It is your turn for a phone that you wait for",
  order: "Your payment arrives or is refunded",
  match: "A new phone matches your search",
  price: "A phone that you watch is cheaper",
  available: "A phone that you watch or wait for is available again",
  sold: "A phone that you watch or wait for is sold",
  report: "Somebody reports a phone",
};
