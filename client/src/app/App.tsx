import { setupListeners } from "@reduxjs/toolkit/query";
import { useEffect } from "react";
import { Provider } from "react-redux";
import { BrowserRouter } from "react-router-dom";
import { SessionManager } from "@/features/auth/SessionManager";
import { measureServerTime } from "@/lib/serverTime";
import { onWake } from "@/lib/wake";
import { AnnouncerProvider, ToastProvider } from "@/ui";
import { ErrorBoundary } from "./layout/ErrorBoundary";
import { LiveProvider } from "./live";
import { Screens } from "./Screens";
import type { AppStore } from "./store";

export function App({ store }: { store: AppStore }) {
  // For queries with refetchOnFocus.
  useEffect(() => setupListeners(store.dispatch), [store]);
  // After a sleep or a change of the device's clock only the server knows the time.
  useEffect(() => onWake((clockJumped) => clockJumped && void measureServerTime()), []);
  return (
    <Provider store={store}>
      {/* The router is outside the toasts, which may contain links. */}
      <BrowserRouter>
        {/* For errors outside the screen, which has a boundary of its own. */}
        <ErrorBoundary path="">
          <ToastProvider>
            <AnnouncerProvider>
              <SessionManager />
              <LiveProvider>
                <Screens />
              </LiveProvider>
            </AnnouncerProvider>
          </ToastProvider>
        </ErrorBoundary>
      </BrowserRouter>
    </Provider>
  );
}
