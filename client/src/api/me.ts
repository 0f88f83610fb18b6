import { useSelector } from "react-redux";
import type { SignedInUser } from "./types";

/** The auth feature mounts its slice as `auth`; features may not import one another, so they meet here. */
export interface MeRoot {
  auth: { user: SignedInUser | null };
}

/** Who is signed in, or null. */
export const selectMe = (state: MeRoot): SignedInUser | null => state.auth.user;

/** Who is signed in, or null while nobody is. */
export function useMe(): SignedInUser | null {
  return useSelector(selectMe);
}
