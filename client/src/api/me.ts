import { useSelector } from "react-redux";
import { selectAccessToken, selectMe } from "./sessionSlice";
import type { Product, SignedInUser } from "./types";

/** The signed-in user, or null. */
export function useMe(): SignedInUser | null {
  return useSelector(selectMe);
}

/**
 * Whether a user is signed in, by the access token: it is known at the first render, before the user has been loaded.
 */
export function useIsSignedIn(): boolean {
  return useSelector(selectAccessToken) !== null;
}

/** Whether this is a phone of the signed-in user. A visitor's product has no sellerKey. */
export function useIsOwnPhone(product: Product | undefined): boolean {
  const key = useMe()?.sellerKey;
  return key !== undefined && product?.sellerKey === key;
}
