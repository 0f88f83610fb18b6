import type { Dispatch } from "@reduxjs/toolkit";
import { setPublicUrl } from "@/lib/pictureUrl";
import { api } from "./api";
import type { Config } from "./types";

const configApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The server's settings for every client; fetched once, or read from the page. */
    config: build.query<Config, void>({ query: () => "/config", keepUnusedDataFor: 24 * 3600 }),
  }),
});

export const { useConfigQuery } = configApi;

/** The response of GET /config that the server has embedded in the page; null in a page of vite. */
function readEmbeddedConfig(): Config | null {
  const text = globalThis.document?.querySelector('script[id="config"]')?.textContent;
  return text ? (JSON.parse(text) as Config) : null;
}

/**
 * Puts the settings of the page into the empty cache: the first render then has them without a request. In a page
 * without settings, the first screen that uses them fetches them.
 */
export function cacheEmbeddedConfig(dispatch: Dispatch): void {
  const value = readEmbeddedConfig();
  if (!value) return;
  setPublicUrl(value.publicUrl ?? "");
  dispatch(configApi.util.upsertQueryEntries([{ endpointName: "config", arg: undefined, value }]));
}
