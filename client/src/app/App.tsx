import { Provider } from "react-redux";
import { SessionManager } from "@/features/auth/SessionManager";
import { AnnouncerProvider, ToastProvider } from "@/ui";
import { LiveProvider } from "./live";
import { Router } from "./Router";
import type { AppStore } from "./store";

/** The whole client. */
export function App({ store }: { store: AppStore }) {
  return (
    <Provider store={store}>
      <ToastProvider>
        <AnnouncerProvider>
          <SessionManager />
          <LiveProvider>
            <Router />
          </LiveProvider>
        </AnnouncerProvider>
      </ToastProvider>
    </Provider>
  );
}
