import { useSyncExternalStore } from "react";
import { safeLocalStorage } from "@/lib/safeLocalStorage";

/** Also read by a script in index.html before the first paint. */
const KEY = "theme";
type Theme = "light" | "dark";

const dark = () => window.matchMedia?.("(prefers-color-scheme: dark)");

function current(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === "light" || chosen === "dark") return chosen;
  return dark()?.matches ? "dark" : "light";
}

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  dark()?.addEventListener("change", onChange);
  return () => {
    observer.disconnect();
    dark()?.removeEventListener("change", onChange);
  };
}

/** The current theme, the system's or the chosen one, and a function that toggles it; the choice is stored. */
export function useTheme(): [Theme, () => void] {
  const theme = useSyncExternalStore(subscribe, current);
  const toggle = () => {
    const next = theme === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    safeLocalStorage.set(KEY, next); // if storage is disabled, the choice is lost on reload
  };
  return [theme, toggle];
}
