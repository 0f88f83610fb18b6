import "@/styles/theme.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/App";
import { makeStore } from "@/app/store";

// After a new release a screen's file is gone: load the new page, but not in an endless loop.
window.addEventListener("vite:preloadError", (event) => {
  if (performance.now() < 10_000) return;
  event.preventDefault();
  window.location.reload();
});

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App store={makeStore()} />
    </StrictMode>,
  );
}
