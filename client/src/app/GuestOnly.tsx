import { Navigate, Outlet, useLocation } from "react-router-dom";
import { useAuth } from "@/features/auth";
import { loginOriginOf } from "@/lib/loginOrigin";
import * as t from "@/texts/layout";
import { Spinner } from "@/ui";

/** A layout route for login and sign-up; redirects a signed-in user to the path to return to. */
export function GuestOnly() {
  const { user, phase } = useAuth();
  const location = useLocation();
  if (user) return <Navigate to={loginOriginOf(location).from} replace />;
  // Also for "failed": the session is requested again until the server responds.
  return phase === "out" ? <Outlet /> : <Spinner page label={phase === "failed" ? t.waiting : undefined} />;
}
