import { serverNow } from "./serverTime";

/** When a JWT expires, in milliseconds since 1970; null without an expiry. The signature is not verified. */
export function tokenExpiry(token: string): number | null {
  try {
    const body = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const { exp } = JSON.parse(atob(body)) as { exp?: unknown };
    return typeof exp === "number" ? exp * 1000 : null;
  } catch {
    return null;
  }
}

/** True when the token has expired by the server's time, or expires within this many milliseconds. */
export function expiresWithin(token: string, ms: number): boolean {
  const expiry = tokenExpiry(token);
  return expiry !== null && expiry - ms <= serverNow();
}
