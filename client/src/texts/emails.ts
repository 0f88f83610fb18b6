/** Opens and closes the choices. */
export const choose = "Email settings";
export const title = "Emails about notifications";
export const intro = "“At once”: we email you within about a minute, unless you have SecondRing open.";
/** `time` is the hour of the daily emails in this browser's time zone. */
export const daily = (time: string) =>
  `“Once a day”: one email at ${time} with everything you have not read.`;
export const loading = "Loading your choices";
export const saving = "Saving…";
export const saved = "Saved";
export const noEmails =
  "SecondRing is not sending emails at the moment. Your choices will apply when it does.";
export const confirmFirst = "To get these emails, please open the link in the email that we sent you.";

export const choices = { off: "Never", now: "At once", daily: "Once a day" };

/** When there is an email, by kind of notification. */
export const kinds: Record<string, string> = {
  booked: "Someone books your phone",
  paid: "Your phone is sold, or there is news about your payouts",
  released: "A booking ends without a payment, or an admin removes the phone",
  verified: "You become a verified seller",
  turn: "It is your turn for a phone that you are waiting for",
  order: "Order updates",
  match: "A new phone matches your search",
  price: "Price drops",
  available: "A phone that you watch or are waiting for is available again, or is no longer for sale",
  sold: "A phone that you watch or are waiting for is sold",
  report: "Someone reports something, or asks to look again at a decision",
  decision: "Decisions of our admins about you, or about what you have reported",
};
