import { createApi } from "@reduxjs/toolkit/query/react";
import { baseQuery } from "./baseQuery";
import { withLive } from "./liveReducer";

const bare = createApi({
  reducerPath: "api",
  baseQuery,
  tagTypes: ["Me", "Role", "Brands", "Booking", "List"],
  endpoints: () => ({}),
});

/**
 * The one api of the client. Endpoints are injected beside their feature; its
 * reducer also takes live updates (liveReducer.ts), so a store needs nothing
 * beyond `api.reducer` and `api.middleware`.
 */
export const api: typeof bare = Object.assign(bare, {
  // Only liveReducer.ts uses the added event log.
  reducer: withLive(bare.reducer) as unknown as typeof bare.reducer,
});
