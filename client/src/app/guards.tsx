import { Navigate, Outlet, useLocation } from "react-router-dom";
import type { Role, SignedInUser } from "@/api/types";
import { useAuth } from "@/features/auth";
import { Spinner } from "@/ui";

/** What the guards pass to the screens inside them. */
export interface Known {
  user: SignedInUser;
  role: Role;
}

/** The path that a guard stored, or Home. Only a path of this site is accepted. */
export function originOf(state: unknown): string {
  const from = (state as { from?: unknown } | null)?.from;
  return typeof from === "string" && /^\/(?![/\\])/.test(from) ? from : "/";
}

/** For login and sign-up: redirects a signed-in user to the screen they wanted. */
export function GuestOnly() {
  const { user, phase } = useAuth();
  const { state } = useLocation();
  if (user) return <Navigate to={originOf(state)} replace />;
  return phase === "starting" ? <Spinner page /> : <Outlet />;
}
