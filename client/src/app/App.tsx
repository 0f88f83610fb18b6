import { setupListeners } from "@reduxjs/toolkit/query";
import { useEffect } from "react";
import { Provider } from "react-redux";
import { BrowserRouter } from "react-router-dom";
import { SessionManager } from "@/features/auth/SessionManager";
import { AnnouncerProvider, ToastProvider } from "@/ui";
import { LiveProvider } from "./live";
import { Screens } from "./Screens";
import type { AppStore } from "./store";

export function App({ store }: { store: AppStore }) {
  // For queries with refetchOnFocus.
  useEffect(() => setupListeners(store.dispatch), [store]);
  return (
    <Provider store={store}>
      {/* The router is outside the toasts, which may contain links. */}
      <BrowserRouter>
        <ToastProvider>
          <AnnouncerProvider>
            <SessionManager />
            <LiveProvider>
              <Screens />
            </LiveProvider>
          </AnnouncerProvider>
        </ToastProvider>
      </BrowserRouter>
    </Provider>
  );
}
