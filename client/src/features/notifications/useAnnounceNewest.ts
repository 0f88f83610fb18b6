import { useEffect, useRef } from "react";
import type { Notification } from "@/api/types";
import type { LiveList } from "@/lib/live";
import * as t from "@/texts/notifications";
import { useAnnounce } from "@/ui";

/** Reads out a notification that is added to the list while the page is open. */
export function useAnnounceNewest(list: LiveList<Notification> | undefined): void {
  const announce = useAnnounce();
  /** The _id of the newest one so far; undefined until the list is loaded. */
  const known = useRef<string>(undefined);
  useEffect(() => {
    if (!list) return;
    const newest = list.entities[list.ids[0] ?? ""];
    if (known.current !== undefined && newest && newest._id > known.current) announce(t.added(newest.text));
    known.current = newest?._id ?? "";
  }, [list, announce]);
}
