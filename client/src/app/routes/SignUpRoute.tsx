import { useLocation } from "react-router-dom";
import { SignUp } from "@/features/auth/SignUp";
import { loginOriginOf } from "@/lib/loginOrigin";
import { useLoginPurpose } from "./useLoginPurpose";

/** The sign-up form. */
export default function SignUpRoute() {
  const origin = loginOriginOf(useLocation());
  return <SignUp origin={origin} purpose={useLoginPurpose(origin)} />;
}
