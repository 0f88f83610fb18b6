import { Suspense, useEffect, useState } from "react";
import { Link, NavLink, useLocation } from "react-router-dom";
import { useAuth, useSignOut } from "@/features/auth";
import * as t from "@/texts/layout";
import { Button, buttonClass, cx, IconButton } from "@/ui";
import { CloseIcon, MenuIcon } from "@/ui/icons";
import { lazyPart } from "@/ui/lazyPart";
import { Logo } from "./Logo";
import { linkClass } from "./linkClass";
import { NavSearch } from "./NavSearch";
import { ThemeSwitch } from "./ThemeSwitch";

const AccountMenu = lazyPart(() => import("./AccountMenu"));
const MessagesLink = lazyPart(() => import("@/features/messages/MessagesLink"));
const Bell = lazyPart(() => import("@/features/notifications/Bell"));

/** The navigation bar; on narrow screens its links are in a menu. */
export function NavBar() {
  const { key } = useLocation();
  const [open, setOpen] = useState(false);
  const hasAccount = useHasAccount();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes the menu
  useEffect(() => setOpen(false), [key]);

  return (
    <header className="sticky top-0 z-30 bg-ground/95 backdrop-blur">
      <div className="screen-width flex flex-wrap items-center gap-x-0.5 min-[28rem]:gap-x-2 lg:flex-nowrap">
        <Link to="/" className="me-auto flex h-16 items-center rounded-sm">
          <Logo />
        </Link>
        <NavSearch />
        <nav
          id="menu"
          aria-label={t.mainMenu}
          className={cx(
            "-mx-2 order-last max-h-[calc(100dvh-4rem)] w-[calc(100%+1rem)] flex-col gap-1 overflow-y-auto px-2 pb-4 lg:order-none lg:mx-0 lg:max-h-none lg:overflow-visible lg:px-0 lg:flex lg:w-auto lg:flex-row lg:items-center lg:pb-0",
            open ? "flex" : "hidden",
          )}
        >
          <NavLinks />
          <Account isBarOpen={open} />
        </nav>
        <Notifications />
        {/* A telephone has no room for it beside the messages: there it is in the menu. */}
        <span className={cx("flex", hasAccount && "max-[32rem]:hidden")}>
          <ThemeSwitch />
        </span>
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

/** Whether somebody is signed in, or may be: that is not known at the start. */
function useHasAccount(): boolean {
  const { user, phase } = useAuth();
  return !!user?.email || phase === "starting";
}

/** Shows a signed-in user's links until the session is known: a browser without a session cookie knows at once. */
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

/** The messages and the bell of a signed-in user; an empty space of the same size until that is known. */
function Notifications() {
  const { user } = useAuth();
  if (!useHasAccount()) return null;
  const placeholder = <span className="size-11" />;
  return (
    <>
      <Suspense fallback={placeholder}>{user ? <MessagesLink /> : placeholder}</Suspense>
      <Suspense fallback={placeholder}>{user ? <Bell /> : placeholder}</Suspense>
    </>
  );
}

/** The user's menu and SignOut, or the links to login and sign-up; an empty space of the same size until that is known. */
function Account({ isBarOpen }: { isBarOpen: boolean }) {
  const { user, phase } = useAuth();
  const signOut = useSignOut();
  const hasAccount = useHasAccount();
  const isStarting = phase === "starting";
  if (hasAccount) {
    // As large as the menu's button.
    const placeholder = <span className="h-11 w-17 max-lg:hidden min-[85rem]:w-48" />;
    return (
      <div
        className={cx(
          "flex flex-col items-start gap-2 lg:flex-row lg:items-center lg:ps-1",
          isStarting && "invisible",
        )}
      >
        {user ? (
          <Suspense fallback={placeholder}>
            <AccountMenu user={user} isBarOpen={isBarOpen} />
          </Suspense>
        ) : (
          placeholder
        )}
        <div className="flex items-center gap-2 max-lg:ms-3.5">
          <Button variant="secondary" size="sm" onClick={signOut}>
            {t.signOut}
          </Button>
          <span className="hidden max-[32rem]:flex">
            <ThemeSwitch />
          </span>
        </div>
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
