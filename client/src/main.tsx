import "@/styles/theme.css";
import { type ReactNode, StrictMode, startTransition, useLayoutEffect } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/App";
import { arrive } from "@/app/Router";
import { makeStore } from "@/app/store";

// A screen's file is gone once a newer client is installed: load that one, but not in a circle.
window.addEventListener("vite:preloadError", (event) => {
  if (performance.now() < 10_000) return;
  event.preventDefault();
  window.location.reload();
});

/** Draws the client into the page; a still that the page has brought makes room for it, both in one step. */
async function begin(root: HTMLElement) {
  const store = makeStore();
  if (root.hasChildNodes()) await arrive(window.location.pathname, store);
  const [moving] = document.getAnimations();
  // In steps that leave the browser room for what somebody does meanwhile.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <Awake root={root} since={moving?.startTime}>
          <App store={store} />
        </Awake>
      </StrictMode>,
    ),
  );
}

interface Props {
  root: HTMLElement;
  /** When the still began to move, on the document's timeline. */
  since?: CSSNumberish | null;
  children: ReactNode;
}

/**
 * The still takes no clicks and no typing, which would be lost; what stands in its place does. What moved in it goes
 * on where it was.
 */
function Awake({ root, since, children }: Props) {
  useLayoutEffect(() => {
    root.inert = false;
    root.ariaDisabled = null;
    if (since) for (const moving of document.getAnimations()) moving.startTime = since;
  }, [root, since]);
  return children;
}

const root = document.getElementById("root");
// The code has just been read, which takes a while: whoever presses something meanwhile goes first.
if (root) setTimeout(begin, 0, root);
