import { useSelector } from "react-redux";
import { useLocation } from "react-router-dom";
import { selectEndReason } from "@/api/sessionSlice";
import { LinkGoogle } from "@/features/auth/LinkGoogle";
import { SignIn } from "@/features/auth/SignIn";
import { loginOriginOf, typedEmailOf } from "@/lib/loginOrigin";
import { useLoginPurpose } from "./useLoginPurpose";

/**
 * The login. A sign-in with Google leads back here if it is not complete: ?link=1 asks for the password of the account to
 * link, ?code=1 for the code of the second factor, and ?error= says why the sign-in failed.
 */
export default function SignInRoute() {
  const location = useLocation();
  const query = new URLSearchParams(location.search);
  const origin = loginOriginOf(location);
  const endReason = useSelector(selectEndReason);
  // The reason for the login is more useful to a visitor than the end of an earlier session.
  const notice = origin.phone === undefined ? endReason : null;
  const purpose = useLoginPurpose(origin);
  if (query.get("link") === "1") return <LinkGoogle />;
  return (
    <SignIn
      origin={origin}
      purpose={purpose}
      email={typedEmailOf(location)}
      notice={notice}
      googleFailure={query.get("error")}
      takesCode={query.get("code") === "1"}
    />
  );
}
