import { tokenExpiry } from "@/lib/accessToken";

/** Tokens live an hour (api/identity/token.go); one with less than this left, in milliseconds, is renewed. */
export const RENEW_BEFORE_MS = 10 * 60_000;

/** How long until the token should be renewed, in milliseconds; 0 when that is due, null when it never is. */
export function renewIn(token: string, now = Date.now()): number | null {
  const end = tokenExpiry(token);
  return end === null ? null : Math.max(0, end - RENEW_BEFORE_MS - now);
}
