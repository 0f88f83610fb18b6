import { useConfigQuery } from "./config";
import { useMe } from "./me";

/** The screen with the choices of emails, open. */
export const EMAIL_CHOICES = "/dashboard/notifications#emails";

/** Whether the signed-in user's address is confirmed; undefined while the market sends no email, or nobody is signed in. */
export function useEmailConfirmed(): boolean | undefined {
  const { data: config } = useConfigQuery();
  const me = useMe();
  return config?.mail ? me?.emailVerified : undefined;
}
