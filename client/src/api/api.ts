import { createApi } from "@reduxjs/toolkit/query/react";
import { baseQuery } from "./baseQuery";

/** The API slice of the market. Endpoints are injected beside their feature. Live updates: liveReducer.ts. */
export const api = createApi({
  reducerPath: "api",
  baseQuery,
  tagTypes: ["Me", "Role", "Brands", "Booking", "List", "Sessions", "Texts"],
  endpoints: () => ({}),
});

/** The part of the store that the API slice has. */
export interface ApiRoot {
  api: ReturnType<typeof api.reducer>;
}

/**
 * The API slice of the links in emails. Such a call may end the session of its own window, and the push that says so
 * may be faster than the response. The end of a session resets `api` and aborts its calls, but not these.
 */
export const linkApi = createApi({ reducerPath: "linkApi", baseQuery, endpoints: () => ({}) });
