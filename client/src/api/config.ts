import { api } from "./emptyApi";
import type { Config } from "./types";

const configApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** What the server tells every client; asked once. */
    config: build.query<Config, void>({ query: () => "/config", keepUnusedDataFor: 24 * 3600 }),
  }),
});

export const { useConfigQuery } = configApi;
