import { createApi } from "@reduxjs/toolkit/query/react";
import { baseQuery } from "./baseQuery";
import { withLiveUpdates } from "./liveReducer";

const baseApi = createApi({
  reducerPath: "api",
  baseQuery,
  tagTypes: ["Me", "Role", "Brands", "Booking", "List", "Sessions"],
  endpoints: () => ({}),
});

/**
 * The one API slice of the client. Endpoints are injected beside their feature. Its reducer also applies live updates
 * (liveReducer.ts).
 */
export const api: typeof baseApi = Object.assign(baseApi, {
  // The added event log is used in liveReducer.ts only.
  reducer: withLiveUpdates(baseApi.reducer) as unknown as typeof baseApi.reducer,
});
