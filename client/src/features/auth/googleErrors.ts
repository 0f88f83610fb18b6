const words: Record<string, string> = {
  google_denied: "You did not sign in with Google. Try again, or use your password.",
  google_expired: "The sign-in with Google took too long. Please try again.",
  google_unverified: "Google has not verified this address yet. Verify it there, or use a password here.",
  google_unavailable: "Google can't be reached right now. Please try again, or use your password.",
  google_other: "Another Google account is linked to this address here.",
  account_removed: "This account was removed by an admin.",
};

/** What to say for the code that the server adds to /login?error= when a Google sign-in fails; null for none. */
export function googleError(code: string | null): string | null {
  return code === null ? null : (words[code] ?? "The sign-in with Google failed. Please try again.");
}
