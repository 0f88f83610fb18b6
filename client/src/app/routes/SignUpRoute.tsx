import { useLocation } from "react-router-dom";
import { SignUp } from "@/features/auth/SignUp";
import { loginOriginOf } from "@/lib/loginOrigin";
import { useLoginPurpose } from "./useLoginPurpose";

/** The screens that only sellers may see. */
const FOR_SELLERS = /^\/dashboard\/(addProduct|myProducts)\b/;

/** The sign-up form. */
export default function SignUpRoute() {
  const origin = loginOriginOf(useLocation());
  const purpose = useLoginPurpose(origin);
  const toSell = FOR_SELLERS.test(origin.from);
  return <SignUp key={String(toSell)} origin={origin} purpose={purpose} toSell={toSell} />;
}
