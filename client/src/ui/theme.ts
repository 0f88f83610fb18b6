import { useSyncExternalStore } from "react";

/** Also read by a script in index.html before the first paint. */
const KEY = "theme";
type Theme = "light" | "dark";

const dark = () => window.matchMedia?.("(prefers-color-scheme: dark)");

function current(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === "light" || chosen === "dark") return chosen;
  return dark()?.matches ? "dark" : "light";
}

function subscribe(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  dark()?.addEventListener("change", changed);
  return () => {
    observer.disconnect();
    dark()?.removeEventListener("change", changed);
  };
}

/** A still of a screen is made before anybody has chosen. */
const atBuild = (): Theme => "light";

/** The theme on screen, the system's or the chosen one, and a way to change it; the choice is kept. */
export function useTheme(): [Theme, () => void] {
  const theme = useSyncExternalStore(subscribe, current, atBuild);
  const toggle = () => {
    const next = theme === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
  };
  return [theme, toggle];
}
