import * as t from "@/texts/auth";

const words: Record<string, string> = {
  google_denied: t.googleDenied,
  google_expired: t.googleExpired,
  google_unverified: t.googleUnverified,
  google_unavailable: t.googleUnavailable,
  google_other: t.googleOther,
  account_removed: t.accountRemoved,
};

/** What to say for the code that the server adds to /login?error= when a Google sign-in fails; null for none. */
export function googleError(code: string | null): string | null {
  return code === null ? null : (words[code] ?? t.googleFailed);
}
