import { useLocation } from "react-router-dom";
import { originOf } from "@/app/guards";
import { SignUp } from "@/features/auth/SignUp";

/** The sign-up form. */
export default function SignUpRoute() {
  const { state } = useLocation();
  return <SignUp returnTo={originOf(state)} />;
}
