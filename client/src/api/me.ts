import { useSelector } from "react-redux";
import type { Product, SignedInUser } from "./types";

/** The part of the auth slice that other features read; features may not import one another. */
export interface MeRoot {
  auth: { user: SignedInUser | null };
}

/** Who is signed in, or null. */
export const selectMe = (state: MeRoot): SignedInUser | null => state.auth.user;

/** The signed-in user, or null. */
export function useMe(): SignedInUser | null {
  return useSelector(selectMe);
}

/** Whether this is a phone of the signed-in user. Visitors are not told a seller's email. */
export function useIsOwnPhone(product: Product | undefined): boolean {
  const email = useMe()?.email.toLowerCase();
  return email !== undefined && product?.email?.toLowerCase() === email;
}
