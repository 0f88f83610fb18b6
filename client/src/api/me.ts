import { useSelector } from "react-redux";
import type { Product, SignedInUser } from "./types";

/** The part of the auth slice that other features read; a feature may not import another one. */
export interface MeRoot {
  auth: { user: SignedInUser | null };
}

export const selectMe = (state: MeRoot): SignedInUser | null => state.auth.user;

export function useMe(): SignedInUser | null {
  return useSelector(selectMe);
}

/** Whether this is a phone of the signed-in user. A visitor's product has no email. */
export function useIsOwnPhone(product: Product | undefined): boolean {
  const email = useMe()?.email.toLowerCase();
  return email !== undefined && product?.email?.toLowerCase() === email;
}
