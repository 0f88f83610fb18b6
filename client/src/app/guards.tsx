import { Navigate, Outlet, useLocation } from "react-router-dom";
import type { Role, SignedInUser } from "@/api/types";
import { useAuth } from "@/features/auth";
import { Spinner } from "@/ui";

/** What guarded screens get from the guards around them. */
export interface Known {
  user: SignedInUser;
  role: Role;
}

/** The path a guard remembered, or Home. Only a path of this site counts. */
export function originOf(state: unknown): string {
  const from = (state as { from?: unknown } | null)?.from;
  return typeof from === "string" && /^\/(?![/\\])/.test(from) ? from : "/";
}

/** Login and sign-up: whoever is signed in goes on to where they wanted to be. */
export function GuestOnly() {
  const { user, phase } = useAuth();
  const { state } = useLocation();
  if (user) return <Navigate to={originOf(state)} replace />;
  return phase === "starting" ? <Spinner page /> : <Outlet />;
}
