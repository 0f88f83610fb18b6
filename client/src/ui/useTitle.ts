import { useEffect } from "react";
import { titled } from "@/texts/layout";

/**
 * Names the screen in the window's title, for a screen that is about one thing; until it knows which one (undefined),
 * the title of its path stays, which Layout sets earlier.
 */
export function useTitle(screen: string | undefined): void {
  useEffect(() => {
    if (screen !== undefined) document.title = titled(screen);
  }, [screen]);
}
