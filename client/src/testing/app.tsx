import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Provider } from "react-redux";
import { MemoryRouter } from "react-router-dom";
import type { SignedInUser } from "@/api/types";
import { Screens } from "@/app/Screens";
import { type AppStore, makeStore } from "@/app/store";
import { SessionManager } from "@/features/auth/SessionManager";
import { errorResponse, on, onConfig, onList, onRole } from "@/testing/server";
import { AnnouncerProvider, ToastProvider } from "@/ui";

/** An access token with the fields that the client reads. */
export function aToken(expiresIn = 3600, prefix = "t"): string {
  const exp = Math.floor(Date.now() / 1000) + expiresIn;
  return `${prefix}.${btoa(JSON.stringify({ exp }))}.signature`;
}

/** Sets the responses of the identity provider: with this user's session, or without one. */
export function onSession(user: SignedInUser | null): void {
  on("get", "/identity/me", user ? { body: { ...user } } : errorResponse(401, "Not signed in"));
  on("get", "/jwt", { body: { accessToken: aToken() } });
  on("post", "/identity/sign-out", {});
}

/** Renders the whole client without its socket, at a path. */
export function renderApp(path: string, store: AppStore = makeStore()) {
  const view = render(
    <Provider store={store}>
      <MemoryRouter initialEntries={[path]}>
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

/** Sets the responses to the calls of public screens: empty lists, and the settings. */
export function onPublicCalls(): void {
  onConfig();
  for (const path of ["/categories", "/allCategories", "/products/advertised"]) on("get", path, { body: [] });
}

/** Sets the responses for a signed-in user with this role. */
export function onSignedInUser(user: SignedInUser, role: "admin" | "moderator" | "buyer" | "seller"): void {
  onPublicCalls();
  onSession(user);
  onRole(user.email, role);
  // The menu of an admin counts what waits, that of the others the messages; their overviews show offers.
  if (role === "moderator") onList("/cases", "admin", []);
  else if (role === "admin") for (const path of ["/orders", "/cases"]) onList(path, "admin", []);
  else for (const path of ["/threads", "/offers"]) onList(path, "me", []);
}
