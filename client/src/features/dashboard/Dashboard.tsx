import { NavLink, Outlet, useLocation, useOutletContext } from "react-router-dom";
import { useRole } from "@/api/role";
import type { Role } from "@/api/types";
import { cx, ErrorState, Spinner } from "@/ui";

/** The side menu, by role (spec section 2). */
const MENUS: Record<Role, { to: string; label: string }[]> = {
  buyer: [{ to: "myOrders", label: "My Orders" }],
  seller: [
    { to: "addProduct", label: "Add A Product" },
    { to: "myProducts", label: "My Products" },
  ],
  admin: [
    { to: "allBuyers", label: "All Buyers" },
    { to: "allSellers", label: "All Sellers" },
    { to: "reportedItems", label: "Reported Items" },
  ],
};

const WELCOME: Record<Role, string> = {
  buyer: "Here you find the phones you have booked.",
  seller: "Here you list your phones and see how they sell.",
  admin: "Here you look after buyers, sellers and reported items.",
};

/** The frame of every dashboard screen: heading, side menu and the screen itself. */
export default function Dashboard() {
  const { role, isLoading, error, retry } = useRole();
  const guarded = useOutletContext();
  return (
    <div className="mx-auto grid w-full max-w-7xl gap-6 px-4 py-8 md:grid-cols-[14rem_1fr]">
      <h1 className="font-bold text-3xl md:col-span-2">Dashboard</h1>
      {isLoading && <Spinner page />}
      {error && !role && <ErrorState message={error.message} onRetry={retry} />}
      {role && <Menu role={role} />}
      {role && (
        <div className="min-w-0">
          <Start role={role} />
          <Outlet context={guarded} />
        </div>
      )}
    </div>
  );
}

function Menu({ role }: { role: Role }) {
  return (
    <nav aria-label="Dashboard">
      <ul className="flex flex-wrap gap-1 md:sticky md:top-24 md:flex-col">
        {MENUS[role].map(({ to, label }) => (
          <li key={to}>
            <NavLink
              to={`/dashboard/${to}`}
              className={({ isActive }) =>
                cx(
                  "block whitespace-nowrap rounded-md px-4 py-2.5 font-medium",
                  isActive ? "bg-brand-soft text-brand" : "text-muted hover:bg-sunk hover:text-ink",
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

/** What /dashboard itself shows: a word on what the menu offers. */
function Start({ role }: { role: Role }) {
  const { pathname } = useLocation();
  if (pathname.replace(/\/$/, "") !== "/dashboard") return null;
  return <p className="py-2 text-lg text-muted">{WELCOME[role]} Choose from the menu.</p>;
}
