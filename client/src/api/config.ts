import type { Dispatch } from "@reduxjs/toolkit";
import { api } from "./api";
import type { Config } from "./types";

const configApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** What the server tells every client; asked once, where the page has not brought it. */
    config: build.query<Config, void>({ query: () => "/config", keepUnusedDataFor: 24 * 3600 }),
  }),
});

export const { useConfigQuery } = configApi;

/** What GET /config would answer, as the server has written it into its page; null in a page of vite's. */
function broughtByPage(): Config | null {
  const text = globalThis.document?.querySelector('script[id="config"]')?.textContent;
  return text ? (JSON.parse(text) as Config) : null;
}

/**
 * Puts the settings that the page brought into an empty cache: whoever uses them has them when it is first
 * drawn, and nobody asks. Without them the first use asks, and waits.
 */
export function fillConfig(dispatch: Dispatch): void {
  const value = broughtByPage();
  if (!value) return;
  dispatch(configApi.util.upsertQueryEntries([{ endpointName: "config", arg: undefined, value }]));
}
