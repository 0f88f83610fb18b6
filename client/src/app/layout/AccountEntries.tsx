import { NavLink } from "react-router-dom";
import { useIsModerator, useRole } from "@/api/role";
import type { SignedInUser } from "@/api/types";
import { COMMON_MENU, menuOf } from "@/features/dashboard/menus";
import * as t from "@/texts/layout";
import { Avatar, Skeleton } from "@/ui";
import { nameOf } from "./AccountLabel";
import { linkClass } from "./linkClass";

/** Who is signed in, and the screens of their role. */
export function AccountEntries({ user }: { user: SignedInUser }) {
  const { role, error } = useRole();
  const isModerator = useIsModerator();
  const entries = [...(role ? menuOf(role, isModerator) : []), ...COMMON_MENU];
  return (
    <>
      <div className="flex items-center gap-3 px-3.5 py-2">
        <span className="lg:hidden">
          <Avatar src={user.photoURL} name={nameOf(user)} />
        </span>
        <div className="min-w-0">
          <p className="truncate font-bold">{nameOf(user)}</p>
          <p className="truncate text-muted text-sm">{user.email}</p>
        </div>
      </div>
      {role || error ? (
        <ul aria-label={t.account} className="grid gap-1">
          {entries.map(({ to, label }) => (
            <li key={to}>
              <NavLink to={to} end className={(state) => `block ${linkClass(state)}`}>
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      ) : (
        // As high as a buyer's.
        <Skeleton className="delayed-appearance h-20" />
      )}
    </>
  );
}
