import { useEffect, useRef } from "react";
import type { Notification } from "@/api/types";
import { usePageVisible } from "@/ui/usePageVisible";
import { useMarkReadMutation } from "./endpoints";

/**
 * Marks all notifications as read while the page is visible. Returns whether one was unread when this screen first
 * showed it, so that the reader sees what is new.
 */
export function useMarkRead(rows: readonly Notification[]): (id: string) => boolean {
  const [markRead] = useMarkReadMutation();
  const isVisible = usePageVisible();
  const fresh = useRef(new Set<string>());
  const unread = rows.filter(({ readAt }) => !readAt);
  for (const { _id } of unread) fresh.current.add(_id);
  const newest = unread[0]?._id;
  useEffect(() => {
    if (newest && isVisible) void markRead(newest);
  }, [newest, isVisible, markRead]);
  return (id) => fresh.current.has(id);
}
