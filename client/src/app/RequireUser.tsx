import { useDeferredValue } from "react";
import { useSelector } from "react-redux";
import { Navigate, Outlet, useLocation } from "react-router-dom";
import { useRole } from "@/api/role";
import { selectLeavesForGood } from "@/api/sessionSlice";
import type { Role, SignedInUser } from "@/api/types";
import { useAuth } from "@/features/auth";
import * as t from "@/texts/layout";
import { ErrorState, Spinner } from "@/ui";

/** The outlet context of RequireUser and RequireRole. */
export interface SignedInContext {
  user: SignedInUser;
  role: Role;
}

/** A layout route for signed-in users; redirects others to /login with the path to return to. */
export default function RequireUser() {
  const { user, phase } = useAuth();
  const leavesForGood = useSelector(selectLeavesForGood);
  const { pathname, search, hash } = useLocation();
  if (user) return <WithRole user={user} />;
  if (phase === "out") {
    return <Navigate to="/login" replace state={leavesForGood ? null : { from: pathname + search + hash }} />;
  }
  // Also for "failed": the session is requested again until the server responds.
  return <Spinner page label={phase === "failed" ? t.waiting : undefined} />;
}

function WithRole({ user }: { user: SignedInUser }) {
  const { role: loadedRole, error, retry } = useRole();
  // The screen is large: deferred rendering keeps the page responsive.
  const deferredRole = useDeferredValue(loadedRole);
  const role = loadedRole && deferredRole;
  if (role) return <Outlet context={{ user, role } satisfies SignedInContext} />;
  if (!error) return <Spinner page />;
  return (
    <div className="mx-auto max-w-2xl px-4 py-20">
      <ErrorState message={t.roleUnknown} onRetry={retry} />
    </div>
  );
}
