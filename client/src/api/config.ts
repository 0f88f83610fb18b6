import type { Dispatch } from "@reduxjs/toolkit";
import { api } from "./api";
import type { Config } from "./types";

const configApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The server's settings for every client; fetched once, unless the page contains them. */
    config: build.query<Config, void>({ query: () => "/config", keepUnusedDataFor: 24 * 3600 }),
  }),
});

export const { useConfigQuery } = configApi;

/** The response of GET /config that the server has written into the page; null in a page of vite. */
function configOfPage(): Config | null {
  const text = globalThis.document?.querySelector('script[id="config"]')?.textContent;
  return text ? (JSON.parse(text) as Config) : null;
}

/**
 * Puts the settings of the page into an empty cache, so that they are there at the first render without a call.
 * Without them, the first screen that uses them fetches them.
 */
export function fillConfig(dispatch: Dispatch): void {
  const value = configOfPage();
  if (!value) return;
  dispatch(configApi.util.upsertQueryEntries([{ endpointName: "config", arg: undefined, value }]));
}
