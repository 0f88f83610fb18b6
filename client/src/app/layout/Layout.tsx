import { Suspense, useEffect, useRef } from "react";
import { useSelector } from "react-redux";
import { Outlet, useLocation } from "react-router-dom";
import { selectFarewell } from "@/api/session";
import { LiveSign } from "@/app/live";
import { titleOf } from "@/app/titles";
import * as t from "@/texts/layout";
import { Spinner, useToast } from "@/ui";
import { ErrorBoundary } from "./ErrorBoundary";
import { Footer } from "./Footer";
import { NavBar } from "./NavBar";

/** The frame of every screen: skip link, navigation bar, the screen, footer. */
export function Layout() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);

  useEffect(() => {
    document.title = titleOf(pathname) ?? document.title;
    if (shown.current === pathname) return;
    shown.current = pathname;
    // As on any page load: to the top, and a screen reader starts with the new screen.
    window.scrollTo({ top: 0, behavior: "instant" });
    main.current?.focus({ preventScroll: true });
  }, [pathname]);

  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-brand px-4 py-2 font-semibold text-on-brand focus:not-sr-only focus:fixed focus:top-3 focus:start-3"
      >
        {t.skip}
      </a>
      <NavBar />
      {/* At least a screen high: the footer starts below it, and what loads never moves it in sight. */}
      <main ref={main} id="main" tabIndex={-1} className="min-h-[calc(100dvh-4rem)] flex-1 outline-none">
        <ErrorBoundary place={pathname}>
          <Suspense fallback={<Spinner page />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
      <LiveSign />
      <Farewell />
    </div>
  );
}

/** Says why the session has ended on a screen that stays; the others lead to the login, which says so. */
function Farewell() {
  const farewell = useSelector(selectFarewell);
  const toast = useToast();
  const { pathname } = useLocation();
  const stays = useRef(true);
  stays.current = !/^\/(category|dashboard|login)\b/.test(pathname);
  useEffect(() => {
    if (farewell && stays.current) toast(farewell, "error");
  }, [farewell, toast]);
  return null;
}
