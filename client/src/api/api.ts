import { createApi } from "@reduxjs/toolkit/query/react";
import { baseQuery } from "./baseQuery";

/** The one API slice of the client. Endpoints are injected beside their feature. Live updates: liveReducer.ts. */
export const api = createApi({
  reducerPath: "api",
  baseQuery,
  tagTypes: ["Me", "Role", "Brands", "Booking", "List", "Sessions"],
  endpoints: () => ({}),
});
