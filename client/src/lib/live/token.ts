/** When a JWT ends, in milliseconds since 1970; null where it does not say. The signature is the server's business. */
export function tokenEnd(token: string): number | null {
  try {
    const body = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const { exp } = JSON.parse(atob(body)) as { exp?: unknown };
    return typeof exp === "number" ? exp * 1000 : null;
  } catch {
    return null;
  }
}

/** True when the token has ended, or does within these milliseconds. */
export function endsWithin(token: string, ms: number, now: number): boolean {
  const end = tokenEnd(token);
  return end !== null && end - ms <= now;
}
