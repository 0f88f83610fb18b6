import "@/styles/theme.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/App";

// A screen's file is gone once a newer client is installed: load that one, but not in a circle.
window.addEventListener("vite:preloadError", (event) => {
  if (performance.now() < 10_000) return;
  event.preventDefault();
  window.location.reload();
});

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
