import { useSelector } from "react-redux";
import { selectAccessToken } from "./sessionSlice";
import type { Product, SignedInUser } from "./types";

/** The part of the auth slice that other features read; a feature may not import another one. */
export interface MeRoot {
  auth: { user: SignedInUser | null };
}

export const selectMe = (state: MeRoot): SignedInUser | null => state.auth.user;

export function useMe(): SignedInUser | null {
  return useSelector(selectMe);
}

/**
 * Whether a user is signed in, by the access token: it is known at the first render, before the user has been loaded.
 */
export function useIsSignedIn(): boolean {
  return useSelector(selectAccessToken) !== null;
}

/** Whether this is a phone of the signed-in user. A visitor's product has no email. */
export function useIsOwnPhone(product: Product | undefined): boolean {
  const email = useMe()?.email.toLowerCase();
  return email !== undefined && product?.email?.toLowerCase() === email;
}
