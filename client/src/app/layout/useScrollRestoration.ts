import { useEffect, useLayoutEffect } from "react";
import { useLocation } from "react-router-dom";

/** The scroll position of each history entry, by its key. */
const positions = new Map<string, number>();

/**
 * Records the scroll position of each history entry, and returns a function that scrolls to it, or to the top for a
 * new entry. The browser's own restoration would scroll before the screen is rendered.
 */
export function useScrollRestoration(): () => void {
  const { key } = useLocation();
  useEffect(() => {
    const { history } = window;
    history.scrollRestoration = "manual";
    // After a reload the browser restores the position.
    const leave = () => {
      history.scrollRestoration = "auto";
    };
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, []);
  useLayoutEffect(() => {
    const record = () => void positions.set(key, window.scrollY);
    window.addEventListener("scroll", record, { passive: true });
    return () => window.removeEventListener("scroll", record);
  }, [key]);
  return () => window.scrollTo({ top: positions.get(key) ?? 0, behavior: "instant" });
}
