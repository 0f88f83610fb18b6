import { Navigate, Outlet, useLocation } from "react-router-dom";
import type { Role, SignedInUser } from "@/api/types";
import { useAuth } from "@/features/auth";
import { loginOriginOf } from "@/lib/loginOrigin";
import { Spinner } from "@/ui";

/** What the guards pass to the screens inside them. */
export interface Known {
  user: SignedInUser;
  role: Role;
}

/** For login and sign-up: redirects a signed-in user to the screen they wanted. */
export function GuestOnly() {
  const { user, phase } = useAuth();
  const location = useLocation();
  if (user) return <Navigate to={loginOriginOf(location).from} replace />;
  return phase === "starting" ? <Spinner page /> : <Outlet />;
}
