import { useSelector } from "react-redux";
import { useLocation, useSearchParams } from "react-router-dom";
import { selectFarewell } from "@/api/session";
import { originOf } from "@/app/guards";
import { LinkGoogle } from "@/features/auth/LinkGoogle";
import { SignIn } from "@/features/auth/SignIn";

/** The login form, or, with ?link=1 from a Google sign-in, the question for the account's password; ?error= is one that failed. */
export default function SignInRoute() {
  const { state } = useLocation();
  const [query] = useSearchParams();
  const farewell = useSelector(selectFarewell);
  if (query.get("link") === "1") return <LinkGoogle />;
  return <SignIn returnTo={originOf(state)} notice={farewell} googleFailure={query.get("error")} />;
}
