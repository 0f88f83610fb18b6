import { useLocation } from "react-router-dom";
import { SignUp } from "@/features/auth/SignUp";
import { isForSellers } from "@/features/dashboard/menus";
import { type LoginOrigin, loginOriginOf, pendingActionIn } from "@/lib/loginOrigin";
import { useLoginPurpose } from "./useLoginPurpose";

/** The sign-up form. */
export default function SignUpRoute() {
  const origin = loginOriginOf(useLocation());
  const purpose = useLoginPurpose(origin);
  return <SignUp origin={origin} purpose={purpose} suggestedType={suggestedType(origin)} />;
}

/** The account type for the screen that the person comes from: to sell, to buy, or neither. */
function suggestedType({ from }: LoginOrigin) {
  const { pathname, search } = new URL(from, window.location.origin);
  if (isForSellers(pathname)) return "Seller";
  const dialog = pendingActionIn(search)?.dialog;
  return dialog === "booking" || dialog === "wait" ? "User" : "";
}
