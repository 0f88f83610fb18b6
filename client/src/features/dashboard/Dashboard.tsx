import { Link, NavLink, Outlet, useLocation, useOutletContext } from "react-router-dom";
import { useRole } from "@/api/role";
import type { Role } from "@/api/types";
import * as t from "@/texts/dashboard";
import { cx, ErrorState, Spinner } from "@/ui";
import { COMMON_MENU, MENUS } from "./menus";

/** The layout of every dashboard screen: heading, side menu and the screen itself. */
export default function Dashboard() {
  const { role, isLoading, error, retry } = useRole();
  const context = useOutletContext();
  return (
    <div className="screen-width grid content-start gap-x-8 gap-y-5 py-6 sm:py-10 lg:grid-cols-[13rem_1fr]">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 lg:col-span-2">
        <h1 className="font-extrabold text-3xl">{t.title}</h1>
        <p className="flex gap-4">
          {COMMON_MENU.map(({ to, label }) => (
            <Link key={to} to={to} className="font-semibold text-brand text-sm underline">
              {label}
            </Link>
          ))}
        </p>
      </div>
      {isLoading && !role && <Spinner page />}
      {error && !role && <ErrorState message={error.message} onRetry={retry} />}
      {role && <Menu role={role} />}
      {role && (
        <div className="min-w-0">
          <Outlet context={context} />
        </div>
      )}
    </div>
  );
}

function Menu({ role }: { role: Role }) {
  const { pathname } = useLocation();
  return (
    <nav aria-label={t.title}>
      <ul className="flex flex-wrap gap-1.5 lg:sticky lg:top-24 lg:-ms-4 lg:flex-col lg:gap-1">
        {MENUS[role].map(({ to, label, alsoOn }) => (
          <li key={to}>
            <NavLink
              to={to}
              className={({ isActive }) =>
                cx(
                  "block whitespace-nowrap rounded-full border px-4 py-1.5 font-semibold transition-colors max-sm:px-3.5 max-sm:text-sm",
                  isActive || alsoOn?.test(pathname)
                    ? "border-transparent bg-brand-soft text-brand"
                    : "border-line text-muted hover:bg-sunk hover:text-ink lg:border-transparent",
                )
              }
            >
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
