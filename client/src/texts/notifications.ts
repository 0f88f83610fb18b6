import { number, plural } from "./language";
import { notifications } from "./screenNames";

export const title = notifications;

/** The bell's name, for screen readers and as a tooltip. */
export const bell = (unread: number, isMore: boolean) =>
  unread === 0 ? title : `${title}, ${isMore ? `more than ${number(unread)}` : number(unread)} unread`;
/** On the bell, where there is room for two digits. */
export const badge = (unread: number) => (unread > 99 ? "99+" : number(unread));

export const list = "Your notifications";
export const loading = "Loading your notifications";
export const isNew = "New";
export const empty = "No notifications yet";
export const emptyHint =
  "When something happens to a phone that you sell, have booked, wait for or watch, you can read about it here.";
export const added = (text: string) => `Notification: ${text}`;

/** One line for several of a kind. */
const groups: Record<string, { one: string; other: string }> = {
  booked: { one: "# booking", other: "# bookings of your phones" },
  released: { one: "# booking ended", other: "# bookings ended" },
  paid: { one: "# message about your sales", other: "# messages about your sales" },
  order: { one: "# update on your orders", other: "# updates on your orders" },
  turn: { one: "# message about your waitlist", other: "# messages about your waitlists" },
  price: { one: "# lower price", other: "# lower prices" },
  available: {
    one: "# phone is available again or no longer for sale",
    other: "# phones are available again or no longer for sale",
  },
  sold: { one: "# phone is sold", other: "# phones are sold" },
  match: { one: "# message about your searches", other: "# messages about your searches" },
  decision: { one: "# message about a decision", other: "# messages about decisions" },
  report: { one: "# new report", other: "# new reports" },
};
/** `subject` is the name of the saved search that all of them are about, if there is one. */
export const group = (kind: string, count: number, subject?: string) =>
  kind === "match" && subject
    ? `${plural(count, { one: "# message", other: "# messages" })} about “${subject}”`
    : plural(count, groups[kind] ?? { one: "# notification", other: "# notifications" });
