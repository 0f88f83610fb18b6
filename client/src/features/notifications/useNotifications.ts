import { rowsOf, useList } from "@/api/useList";
import { ALL, notifications } from "./endpoints";

/** The signed-in person's notifications, newest first; live. */
export function useNotifications() {
  const { list, ...view } = useList(notifications, ALL);
  return { ...view, list, rows: rowsOf(list) };
}
