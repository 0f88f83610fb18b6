import "@/styles/theme.css";
import { type ReactNode, StrictMode, startTransition, useLayoutEffect } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/App";
import { arrive } from "@/app/Router";

// A screen's file is gone once a newer client is installed: load that one, but not in a circle.
window.addEventListener("vite:preloadError", (event) => {
  if (performance.now() < 10_000) return;
  event.preventDefault();
  window.location.reload();
});

/** Draws the client into the page; a still that the page has brought makes room for it, both in one step. */
async function begin(root: HTMLElement) {
  if (root.hasChildNodes()) await arrive(window.location.pathname);
  // In steps that leave the browser room for what somebody does meanwhile.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <Awake root={root}>
          <App />
        </Awake>
      </StrictMode>,
    ),
  );
}

/** The still takes no clicks and no typing, which would be lost; what stands in its place does. */
function Awake({ root, children }: { root: HTMLElement; children: ReactNode }) {
  useLayoutEffect(() => {
    root.inert = false;
    root.ariaDisabled = null;
  }, [root]);
  return children;
}

const root = document.getElementById("root");
if (root) void begin(root);
