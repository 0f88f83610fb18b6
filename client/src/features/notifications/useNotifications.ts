import { rowsOf, useList } from "@/api/useList";
import { ALL, notifications } from "./endpoints";

/** The number of notifications that the server keeps for each user. It sends no event when it deletes others. */
export const MAX_NOTIFICATIONS = 200;

/** The kinds of which it keeps more, until they are read: the user ought to act on them. */
const TO_ACT_ON = new Set(["turn", "order", "paid"]);

/** The signed-in person's notifications, newest first; live. */
export function useNotifications() {
  const { list, ...view } = useList(notifications, ALL);
  const rows = rowsOf(list).filter(
    ({ kind, readAt }, index) => index < MAX_NOTIFICATIONS || (!readAt && TO_ACT_ON.has(kind)),
  );
  return { ...view, list, rows };
}
