import { useEffect, useRef } from "react";
import { useAnnounce } from "@/ui/Announcer";

/**
 * Reads out an entry that is added to a list while its screen is open. The _id of the newest entry is undefined until the
 * list is loaded.
 */
export function useAnnounceNewest(id: string | undefined, text: string): void {
  const announce = useAnnounce();
  const known = useRef<string>(undefined);
  useEffect(() => {
    if (id === undefined) return;
    if (known.current !== undefined && id > known.current) announce(text);
    known.current = id;
  }, [id, text, announce]);
}
