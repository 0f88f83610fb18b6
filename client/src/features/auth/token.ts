/** When an access token ends, in milliseconds since 1970; null when that can't be read. The server checks it, not we. */
export function expiryOf(token: string): number | null {
  try {
    const payload = token.split(".")[1]?.replace(/-/g, "+").replace(/_/g, "/") ?? "";
    const { exp } = JSON.parse(atob(payload)) as { exp?: unknown };
    return typeof exp === "number" ? exp * 1000 : null;
  } catch {
    return null;
  }
}

/** Tokens live an hour (contract section 4); one with less than this left, in milliseconds, is renewed. */
export const RENEW_BEFORE_MS = 10 * 60_000;

/** How long until the token should be renewed, in milliseconds; 0 when that is due, null when it never is. */
export function renewIn(token: string, now = Date.now()): number | null {
  const end = expiryOf(token);
  return end === null ? null : Math.max(0, end - RENEW_BEFORE_MS - now);
}
