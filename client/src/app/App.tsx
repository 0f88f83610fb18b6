import { Provider } from "react-redux";
import { AnnouncerProvider, ToastProvider } from "@/ui";
import { LiveProvider } from "./live";
import { Router } from "./Router";
import type { AppStore } from "./store";
import { laterCode, useCode } from "./useCode";

/** The whole client. */
export function App({ store }: { store: AppStore }) {
  return (
    <Provider store={store}>
      <ToastProvider>
        <AnnouncerProvider>
          <Session />
          <LiveProvider>
            <Router />
          </LiveProvider>
        </AnnouncerProvider>
      </ToastProvider>
    </Provider>
  );
}

const keeperCode = laterCode(async () => ({
  Keeper: (await import("@/features/auth/SessionManager")).SessionManager,
}));

/** Keeps the session; its code comes beside the first screen, which for a visitor needs nothing of it. */
function Session() {
  const code = useCode(keeperCode);
  return code && <code.Keeper />;
}
