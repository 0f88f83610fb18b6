import { configureStore } from "@reduxjs/toolkit";
import { api } from "@/api/api";
import type { CallExtra } from "@/api/baseQuery";
import { fillConfig } from "@/api/config";
import { connectionReducer } from "@/api/connection";
import { dialogReducer } from "@/api/dialogSlice";
import { RetryGate } from "@/api/retryGate";
import { sessionMiddleware, sessionReducer } from "@/api/session";
import { shownListsReducer } from "@/api/shownLists";
import {
  type AuthDispatch,
  authMiddleware,
  authReducer,
  doubt,
  dropExpiredToken,
  renew,
} from "@/features/auth";

const callExtra = (): CallExtra => ({
  gate: new RetryGate(),
  renew: (dispatch) => (dispatch as AuthDispatch)(renew()),
  doubt: (dispatch) => void (dispatch as AuthDispatch)(doubt()),
});

/** Makes the store of one page (or one test). */
export function makeStore() {
  dropExpiredToken();
  const store = configureStore({
    reducer: {
      api: api.reducer,
      session: sessionReducer,
      auth: authReducer,
      connection: connectionReducer,
      dialog: dialogReducer,
      shownLists: shownListsReducer,
    },
    middleware: (defaults) =>
      // These checks walk the whole catalogue after every batch of events, which is slow in development.
      defaults({ immutableCheck: false, serializableCheck: false, thunk: { extraArgument: callExtra() } })
        .prepend(sessionMiddleware, authMiddleware)
        .concat(api.middleware),
  });
  fillConfig(store.dispatch);
  return store;
}

/** The store. */
export type AppStore = ReturnType<typeof makeStore>;
