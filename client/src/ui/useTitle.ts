import { useEffect } from "react";
import { titled } from "@/texts/layout";

/**
 * Sets the window's title to the name of the entity that a screen shows. While the name is undefined, the title of the
 * path remains, which Layout has set.
 */
export function useTitle(screen: string | undefined): void {
  useEffect(() => {
    if (screen !== undefined) document.title = titled(screen);
  }, [screen]);
}
