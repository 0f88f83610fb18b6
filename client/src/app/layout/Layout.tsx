import { Suspense, useLayoutEffect, useRef } from "react";
import { Outlet, useLocation } from "react-router-dom";
import { titleOf } from "@/app/titles";
import * as t from "@/texts/layout";
import { lazyPart } from "@/ui/lazyPart";
import { ErrorBoundary } from "./ErrorBoundary";
import { Footer } from "./Footer";
import { LoadingScreen, MissingFiles } from "./MissingFiles";
import { NavBar } from "./NavBar";
import { useScrollRestoration } from "./useScrollRestoration";

/** Not visible at first; loaded separately, so that the first screen loads sooner. */
const StatusOverlays = lazyPart(() => import("./StatusOverlays"));

/** The frame of every screen: skip link, navigation bar, the screen, footer. */
export function Layout() {
  const { pathname, state } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  const restoreScroll = useRef<() => void>(undefined);
  restoreScroll.current = useScrollRestoration();
  /** The link to this screen asks it to focus a field itself. */
  const focuses = useRef(false);
  focuses.current = (state as { focus?: unknown } | null)?.focus === true;

  // Before the screen is painted, and before its own effects, which may set another title or focus.
  useLayoutEffect(() => {
    document.title = titleOf(pathname);
    if (shown.current === pathname) return;
    shown.current = pathname;
    // As after a page load: scroll to the top or to the former position, and let a screen reader start at the new screen.
    restoreScroll.current?.();
    if (!focuses.current) main.current?.focus({ preventScroll: true });
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
      {/* At least as high as the window: the footer starts below it and does not move when content loads. */}
      <main ref={main} id="main" tabIndex={-1} className="min-h-[calc(100dvh-4rem)] flex-1 outline-none">
        <ErrorBoundary path={pathname}>
          <Suspense fallback={<LoadingScreen />}>
            <Outlet />
            <MissingFiles />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
      <Suspense>
        <StatusOverlays />
      </Suspense>
    </div>
  );
}
