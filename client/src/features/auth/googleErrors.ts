import * as t from "@/texts/auth";

const messages: Record<string, string> = {
  google_denied: t.googleDenied,
  google_expired: t.googleExpired,
  google_unverified: t.googleUnverified,
  google_unavailable: t.googleUnavailable,
  google_other: t.googleOther,
  account_closed: t.accountClosed,
  account_removed: t.accountRemoved,
};

/** The message for the code in /login?error=, which the server adds when a Google sign-in fails; null without a code. */
export function googleError(code: string | null): string | null {
  return code === null ? null : (messages[code] ?? t.googleFailed);
}
