import { useEffect, useLayoutEffect } from "react";
import { useLocation } from "react-router-dom";

/** How far each entry of the history was scrolled, by its key. */
const places = new Map<string, number>();

/**
 * Remembers how far an entry of the history was scrolled, and returns how to get there: where one was when
 * it was left, or the top of what is new. The browser itself would scroll before the screen is there.
 */
export function useScrollRestoration(): () => void {
  const { key } = useLocation();
  useEffect(() => {
    const { history } = window;
    history.scrollRestoration = "manual";
    // A page that is loaded again is the browser's to scroll.
    const leave = () => {
      history.scrollRestoration = "auto";
    };
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, []);
  useLayoutEffect(() => {
    const note = () => void places.set(key, window.scrollY);
    window.addEventListener("scroll", note, { passive: true });
    return () => window.removeEventListener("scroll", note);
  }, [key]);
  return () => window.scrollTo({ top: places.get(key) ?? 0, behavior: "instant" });
}
