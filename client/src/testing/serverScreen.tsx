import { act, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { Provider } from "react-redux";
import { MemoryRouter, useLocation } from "react-router-dom";
import { eventsReceived } from "@/api/liveActions";
import { tokenReceived, userLoaded } from "@/api/sessionSlice";
import type { SignedInUser } from "@/api/types";
import { type AppStore, makeStore } from "@/app/store";
import type { LiveEvent } from "@/lib/live";
import { AnnouncerProvider, ToastProvider } from "@/ui";

/** A store in which this user is signed in; null for a visitor. */
export function storeOf(me: SignedInUser | null): AppStore {
  const store = makeStore();
  if (me) signInAs(store, me);
  return store;
}

/** Signs this user in. */
export function signInAs({ dispatch }: AppStore, me: SignedInUser): void {
  dispatch(tokenReceived("test-token"));
  dispatch(userLoaded(me));
}

/** Applies live events to the store and the screen, as the connection does. */
export function receiveEvents({ dispatch }: AppStore, ...events: LiveEvent[]): void {
  act(() => void dispatch(eventsReceived(events)));
}

interface Options {
  me?: SignedInUser | null;
  store?: AppStore;
  /** The path in the address bar. */
  at?: string;
}

/** Renders one screen with the store, the router and the toasts around it. */
export function renderScreen(
  screen: ReactElement,
  { me = null, store = storeOf(me), at = "/" }: Options = {},
) {
  const view = render(
    <Provider store={store}>
      <MemoryRouter initialEntries={[at]}>
        <ToastProvider>
          <AnnouncerProvider>
            {screen}
            <CurrentPath />
          </AnnouncerProvider>
        </ToastProvider>
      </MemoryRouter>
    </Provider>,
  );
  return { ...view, store, user: userEvent.setup({ delay: null }) };
}

/** Shows the current path. */
function CurrentPath() {
  return <output data-testid="current-path">{useLocation().pathname}</output>;
}
