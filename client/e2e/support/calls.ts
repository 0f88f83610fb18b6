import { type APIRequestContext, request } from "@playwright/test";

/**
 * What sends calls to a market, with these headers. Each call has a connection of its own: a market closes one that was
 * idle for two minutes, and a call that is sent at that moment fails.
 */
export const newCalls = (headers: Record<string, string> = {}): Promise<APIRequestContext> =>
  request.newContext({ extraHTTPHeaders: { ...headers, Connection: "close" } });
