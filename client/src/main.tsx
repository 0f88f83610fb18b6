import "@/styles/theme.css";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/App";
import { watchScreenFiles } from "@/app/screenFiles";
import { makeStore } from "@/app/store";

watchScreenFiles();

const root = document.getElementById("root");
if (root) {
  // A transition is rendered in short slices, so that the browser can paint and react in between.
  startTransition(() => {
    createRoot(root).render(
      <StrictMode>
        <App store={makeStore()} />
      </StrictMode>,
    );
  });
}
