import { useEffect, useState } from "react";
import { Link, NavLink, useLocation } from "react-router-dom";
import { useAuth, useSignOut } from "@/features/auth";
import * as t from "@/texts/layout";
import { Avatar, Button, buttonClass, cx, IconButton } from "@/ui";
import { CloseIcon, MenuIcon } from "@/ui/icons";
import { Logo } from "./Logo";
import { NavSearch } from "./NavSearch";
import { ThemeSwitch } from "./ThemeSwitch";

const linkClass = ({ isActive }: { isActive: boolean }) =>
  cx(
    "rounded-full px-3.5 py-2 font-semibold text-sm transition-colors hover:bg-sunk max-lg:text-base",
    isActive && "bg-brand-soft text-brand hover:bg-brand-soft",
  );

/** The navigation bar; on narrow screens its links are in a menu. */
export function NavBar() {
  const { pathname } = useLocation();
  const [open, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the page closes the menu
  useEffect(() => setOpen(false), [pathname]);

  return (
    <header className="sticky top-0 z-30 bg-ground/95 backdrop-blur">
      <div className="screen-width flex flex-wrap items-center gap-x-2 lg:flex-nowrap">
        <Link to="/" className="me-auto flex h-16 items-center rounded-sm">
          <Logo />
        </Link>
        <NavSearch />
        <nav
          id="menu"
          aria-label={t.mainMenu}
          className={cx(
            "order-last w-full flex-col gap-1 pb-4 lg:order-none lg:flex lg:w-auto lg:flex-row lg:items-center lg:pb-0",
            open ? "flex" : "hidden",
          )}
        >
          <NavLinks />
          <Account />
        </nav>
        <ThemeSwitch />
        <IconButton
          label={open ? t.closeMenu : t.openMenu}
          aria-expanded={open}
          aria-controls="menu"
          onClick={() => setOpen(!open)}
          className="lg:hidden"
        >
          {open ? <CloseIcon /> : <MenuIcon />}
        </IconButton>
      </div>
    </header>
  );
}

/** Until the session is known, the bar is that of a signed-in user: only their browsers have to check it. */
function NavLinks() {
  const { user, phase } = useAuth();
  return (
    <>
      <NavLink to="/" end className={linkClass}>
        {t.home}
      </NavLink>
      <NavLink to="/categories" className={linkClass}>
        {t.categories}
      </NavLink>
      {(user || phase === "starting") && (
        <NavLink to="/dashboard" className={linkClass}>
          {t.dashboard}
        </NavLink>
      )}
      <NavLink to="/blog" className={linkClass}>
        {t.blog}
      </NavLink>
      <NavLink to="/contact" className={linkClass}>
        {t.contact}
      </NavLink>
    </>
  );
}

/** The user and SignOut, or the links to login and sign-up; an empty space of the same size until that is known. */
function Account() {
  const { user, phase } = useAuth();
  const signOut = useSignOut();
  const isStarting = phase === "starting";
  if (isStarting || user?.email) {
    return (
      <div className={cx("flex items-center gap-3 lg:ps-2", isStarting && "invisible")}>
        <Avatar src={user?.photoURL} name={user?.displayName || user?.email || ""} />
        <Button variant="secondary" size="sm" onClick={signOut}>
          {t.signOut}
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-2 lg:ps-2">
      <NavLink to="/login" className={linkClass}>
        {t.login}
      </NavLink>
      <Link to="/signUp" className={buttonClass({ size: "sm" })}>
        {t.signUp}
      </Link>
    </div>
  );
}
