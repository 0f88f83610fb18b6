import { useState } from "react";
import { Provider } from "react-redux";
import { SessionKeeper } from "@/features/auth";
import { AnnouncerProvider, ToastProvider } from "@/ui";
import { LiveProvider } from "./live";
import { Router } from "./Router";
import { makeStore } from "./store";

/** The whole client. */
export function App() {
  const [store] = useState(makeStore);
  return (
    <Provider store={store}>
      <ToastProvider>
        <AnnouncerProvider>
          <SessionKeeper />
          <LiveProvider>
            <Router />
          </LiveProvider>
        </AnnouncerProvider>
      </ToastProvider>
    </Provider>
  );
}
