import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { Provider } from "react-redux";
import { MemoryRouter, useLocation } from "react-router-dom";
import { api } from "@/api/api";
import { liveList, type PageArg } from "@/api/liveList";
import { tokenReceived } from "@/api/session";
import type { SignedInUser } from "@/api/types";
import { type AppStore, makeStore } from "@/app/store";
import { authActions } from "@/features/auth/authSlice";
import { createList, type Entity, type ListKind } from "@/lib/live";
import { AnnouncerProvider, ToastProvider } from "@/ui";

/** A store in which this user is signed in; null for a visitor. */
export function storeOf(me: SignedInUser | null): AppStore {
  const store = makeStore();
  if (me) enterAs(store, me);
  return store;
}

/** Signs this user in. */
export function enterAs({ dispatch }: AppStore, me: SignedInUser): void {
  dispatch(tokenReceived("test-token"));
  dispatch(authActions.entered(me));
}

interface Options {
  me?: SignedInUser | null;
  store?: AppStore;
  /** The path in the address bar. */
  at?: string;
}

/** Renders one screen with the store, the router and the toasts around it. */
export function renderScreen(screen: ReactNode, { me = null, store = storeOf(me), at = "/" }: Options = {}) {
  const view = render(
    <Provider store={store}>
      <MemoryRouter initialEntries={[at]}>
        <ToastProvider>
          <AnnouncerProvider>
            {screen}
            <Where />
          </AnnouncerProvider>
        </ToastProvider>
      </MemoryRouter>
    </Provider>,
  );
  return { ...view, store, user: userEvent.setup({ delay: null }) };
}

/** Shows the current path, for tests. */
function Where() {
  return <output data-testid="where">{useLocation().pathname}</output>;
}

const listApi = api.injectEndpoints({
  endpoints: (build) => ({
    testList: build.query(
      liveList<Entity, { kind: ListKind } & PageArg>("brandProducts", ({ kind }) => `/test/${kind}`),
    ),
  }),
});

/** Puts a list of a topic into the cache, as if a screen had loaded it; a refetch calls /test/KIND. */
export function listed<T extends Entity>(kind: ListKind, topic: string, items: T[]) {
  const meta = { kind, total: items.length, nextCursor: null, topic, position: "e1-0", startedAt: 0 };
  return listApi.util.upsertQueryEntries([
    { endpointName: "testList", arg: { kind }, value: createList<Entity>(items, meta) },
  ]);
}
