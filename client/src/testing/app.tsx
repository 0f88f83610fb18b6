import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Provider } from "react-redux";
import { MemoryRouter } from "react-router-dom";
import type { SignedInUser } from "@/api/types";
import { Screens } from "@/app/Screens";
import { type AppStore, makeStore } from "@/app/store";
import { SessionManager } from "@/features/auth/SessionManager";
import { on, onConfig, onRole, refusal } from "@/testing/server";
import { AnnouncerProvider, ToastProvider } from "@/ui";

/** An access token with the fields that the client reads. */
export function aToken(secondsLeft = 3600, mark = "t"): string {
  const exp = Math.floor(Date.now() / 1000) + secondsLeft;
  return `${mark}.${btoa(JSON.stringify({ exp }))}.signature`;
}

/** Answers the identity provider's calls: with this user's session, or with none. */
export function onSession(user: SignedInUser | null): void {
  on("get", "/identity/me", user ? { body: { ...user } } : refusal(401, "Not signed in"));
  on("get", "/jwt", { body: { accessToken: aToken() } });
  on("post", "/identity/sign-out", {});
}

/** Renders the whole client without its socket, at an address. The calls of public screens are answered. */
export function renderApp(at: string, store: AppStore = makeStore()) {
  const view = render(
    <Provider store={store}>
      <MemoryRouter initialEntries={[at]}>
        <ToastProvider>
          <AnnouncerProvider>
            <SessionManager />
            <Screens />
          </AnnouncerProvider>
        </ToastProvider>
      </MemoryRouter>
    </Provider>,
  );
  return { ...view, store, user: userEvent.setup() };
}

/** Answers the calls of public screens with empty lists, and with the settings. */
export function onPublic(): void {
  onConfig();
  for (const path of ["/categories", "/allCategories", "/products/advertised"]) on("get", path, { body: [] });
}

/** Answers as for a signed-in user with this role. */
export function signedIn(user: SignedInUser, role: "admin" | "buyer" | "seller"): void {
  onPublic();
  onSession(user);
  onRole(user.email, role);
}
