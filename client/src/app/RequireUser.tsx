import { useDeferredValue, useEffect } from "react";
import { useDispatch, useSelector } from "react-redux";
import { Navigate, Outlet, useLocation } from "react-router-dom";
import { useRole } from "@/api/role";
import { loggedOut } from "@/api/sessionSlice";
import type { Role, SignedInUser } from "@/api/types";
import { selectSignedOutByUser, useAuth } from "@/features/auth";
import * as t from "@/texts/layout";
import { sessionEnded } from "@/texts/session";
import { ErrorState, Spinner } from "@/ui";

/** The outlet context of RequireUser and RequireRole. */
export interface SignedInContext {
  user: SignedInUser;
  role: Role;
}

/** A layout route for signed-in users; redirects others to /login with the path to return to. */
export default function RequireUser() {
  const { user, phase } = useAuth();
  const signedOutByUser = useSelector(selectSignedOutByUser);
  const { pathname, search, hash } = useLocation();
  if (user) return <WithRole user={user} />;
  if (phase === "out") {
    return (
      <Navigate to="/login" replace state={signedOutByUser ? null : { from: pathname + search + hash }} />
    );
  }
  // Also for "failed": the session is requested again until the server responds.
  return <Spinner page label={phase === "failed" ? t.waiting : undefined} />;
}

function WithRole({ user }: { user: SignedInUser }) {
  const { role: loadedRole, error, retry } = useRole();
  // The screen is large: deferred rendering keeps the page responsive.
  const deferredRole = useDeferredValue(loadedRole);
  const role = loadedRole && deferredRole;
  const dispatch = useDispatch();
  // The token is not valid: without a role there is no screen to show.
  const isUnauthorized = error?.status === 401;
  useEffect(() => {
    if (isUnauthorized) dispatch(loggedOut(sessionEnded));
  }, [isUnauthorized, dispatch]);
  if (role) return <Outlet context={{ user, role } satisfies SignedInContext} />;
  if (!error || isUnauthorized) return <Spinner page />;
  return (
    <div className="mx-auto max-w-2xl px-4 py-20">
      <ErrorState message={t.roleUnknown} onRetry={retry} />
    </div>
  );
}
