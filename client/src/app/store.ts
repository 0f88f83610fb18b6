import { combineReducers, configureStore } from "@reduxjs/toolkit";
import { api, linkApi } from "@/api/api";
import type { ThunkExtra } from "@/api/baseQuery";
import { cacheEmbeddedConfig } from "@/api/config";
import { connectionReducer } from "@/api/connectionSlice";
import { dialogReducer } from "@/api/dialogSlice";
import { eventLogReducer, withLiveUpdates } from "@/api/liveReducer";
import { sessionReducer } from "@/api/sessionSlice";
import { shownListsReducer } from "@/api/shownLists";
import { type AuthDispatch, callRefused, renewDueToken, sessionMiddleware } from "@/features/auth";

const thunkExtra = (): ThunkExtra => ({
  retryTimes: new Map(),
  renewExpiredToken: (dispatch) => (dispatch as AuthDispatch)(renewDueToken(0)),
  callRefused: (dispatch, refusal) => void (dispatch as AuthDispatch)(callRefused(refusal)),
});

const rootReducer = combineReducers({
  api: api.reducer,
  linkApi: linkApi.reducer,
  eventLog: eventLogReducer,
  session: sessionReducer,
  connection: connectionReducer,
  dialog: dialogReducer,
  shownLists: shownListsReducer,
});

/** Creates the store of one page (or one test). */
export function makeStore() {
  const store = configureStore({
    reducer: withLiveUpdates(rootReducer),
    middleware: (defaults) =>
      // These checks traverse all cached lists after every batch of events, which is slow in development.
      defaults({ immutableCheck: false, serializableCheck: false, thunk: { extraArgument: thunkExtra() } })
        .prepend(sessionMiddleware)
        .concat(api.middleware, linkApi.middleware),
  });
  cacheEmbeddedConfig(store.dispatch);
  return store;
}

export type AppStore = ReturnType<typeof makeStore>;
