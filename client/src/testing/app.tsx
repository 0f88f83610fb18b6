import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Provider } from "react-redux";
import { MemoryRouter } from "react-router-dom";
import type { SignedInUser } from "@/api/types";
import { Screens } from "@/app/Router";
import { type AppStore, makeStore } from "@/app/store";
import { SessionManager } from "@/features/auth/SessionManager";
import { on, onConfig, onRole, refusal } from "@/testing/server";
import { AnnouncerProvider, ToastProvider } from "@/ui";

/** An access token as the server makes them, as far as the client reads it. */
export function aToken(secondsLeft = 3600, mark = "t"): string {
  const exp = Math.floor(Date.now() / 1000) + secondsLeft;
  return `${mark}.${btoa(JSON.stringify({ exp }))}.signature`;
}

/** The identity provider's session: this user's, or nobody's. */
export function onSession(user: SignedInUser | null): void {
  on("get", "/identity/me", user ? { body: { ...user } } : refusal(401, "Not signed in"));
  on("get", "/jwt", { body: { accessToken: aToken() } });
  on("post", "/identity/sign-out", {});
}

/** The whole client but its socket, at an address. Home's and the contact page's calls are answered. */
export function renderApp(at: string, store: AppStore = makeStore()) {
  const view = render(
    <Provider store={store}>
      <ToastProvider>
        <AnnouncerProvider>
          <SessionManager />
          <MemoryRouter initialEntries={[at]}>
            <Screens />
          </MemoryRouter>
        </AnnouncerProvider>
      </ToastProvider>
    </Provider>,
  );
  return { ...view, store, user: userEvent.setup() };
}

/** What public screens ask for, all of it empty; and the settings. */
export function onPublic(): void {
  onConfig();
  for (const path of ["/categories", "/allCategories", "/products/advertised"]) on("get", path, { body: [] });
}

/** Somebody is signed in and has this role. */
export function signedIn(user: SignedInUser, role: "admin" | "buyer" | "seller"): void {
  onPublic();
  onSession(user);
  onRole(user.email, role);
}
