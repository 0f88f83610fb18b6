import "@/styles/theme.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/App";
import { watchScreenFiles } from "@/app/screenFiles";
import { makeStore } from "@/app/store";

watchScreenFiles();

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App store={makeStore()} />
    </StrictMode>,
  );
}
