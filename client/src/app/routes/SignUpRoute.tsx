import { useLocation } from "react-router-dom";
import { SignUp } from "@/features/auth/SignUp";
import { isForSellers } from "@/features/dashboard/menus";
import { loginOriginOf } from "@/lib/loginOrigin";
import { useLoginPurpose } from "./useLoginPurpose";

/** The sign-up form. */
export default function SignUpRoute() {
  const origin = loginOriginOf(useLocation());
  const purpose = useLoginPurpose(origin);
  const toSell = isForSellers(new URL(origin.from, window.location.origin).pathname);
  return <SignUp key={String(toSell)} origin={origin} purpose={purpose} toSell={toSell} />;
}
