import type { Strength } from "@/lib/passwordStrength";

/** The button in every field for a password. */
export const show = "Show password";

/** Under a field for a new password; the first while it is empty. */
export const rule = "6 characters or more. Longer is better.";
export const strength: Record<Strength, string> = {
  weak: "Weak password",
  fair: "Fair password",
  strong: "Strong password",
};
