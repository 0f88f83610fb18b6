import { rowsOf, useList } from "@/api/useList";
import { ALL, notifications } from "./endpoints";

/** The number of notifications that the server keeps for each user. It sends no event when it deletes older ones. */
const KEPT = 200;

/** The signed-in person's notifications, newest first; live. */
export function useNotifications() {
  const { list, hasMore, ...view } = useList(notifications, ALL);
  const rows = rowsOf(list).slice(0, KEPT);
  return { ...view, list, rows, hasMore: hasMore && rows.length < KEPT };
}
