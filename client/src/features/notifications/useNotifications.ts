import { rowsOf, useList } from "@/api/useList";
import { ALL, notifications } from "./endpoints";

/** The number of notifications that the server keeps for each user. It sends no event when it deletes older ones. */
export const MAX_NOTIFICATIONS = 200;

/** The signed-in person's notifications, newest first; live. */
export function useNotifications() {
  const { list, hasMore, ...view } = useList(notifications, ALL);
  const rows = rowsOf(list).slice(0, MAX_NOTIFICATIONS);
  return { ...view, list, rows, hasMore: hasMore && rows.length < MAX_NOTIFICATIONS };
}
