import { useLayoutEffect, useRef } from "react";
import { Link, matchPath, NavLink, Outlet, useLocation, useOutletContext } from "react-router-dom";
import { useIsModerator, useRole } from "@/api/role";
import type { Role } from "@/api/types";
import * as t from "@/texts/dashboard";
import { cx, ErrorState, Spinner } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { COMMON_MENU, menuOf } from "./menus";

interface Props {
  /** How much waits on a screen, by its path. */
  counts: Readonly<Record<string, number>>;
  /** What the person has to know on every screen. */
  notice?: Elements;
}

/** The layout of every dashboard screen: heading, side menu and the screen itself. */
export default function Dashboard({ counts, notice }: Props) {
  const { role, isLoading, error, retry } = useRole();
  const context = useOutletContext();
  return (
    <div className="screen-width grid content-start gap-x-8 gap-y-2 py-4 sm:py-6 lg:grid-cols-[13rem_1fr] lg:gap-y-1">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 lg:col-start-2">
        <h1 className="font-semibold text-muted text-sm tracking-normal">{t.title}</h1>
        <p className="flex gap-4">
          {COMMON_MENU.map(({ to, label }) => (
            <Link key={to} to={to} className="font-semibold text-brand text-sm underline">
              {label}
            </Link>
          ))}
        </p>
      </div>
      {role && <Menu role={role} counts={counts} />}
      <div className="min-w-0 lg:col-start-2">
        {notice}
        {isLoading && !role && <Spinner page />}
        {error && !role && <ErrorState message={error.message} onRetry={retry} />}
        {role && <Outlet context={context} />}
      </div>
    </div>
  );
}

/** The side menu. On a narrow screen it is one line that scrolls sideways, with the marked entry in its middle. */
function Menu({ role, counts }: Pick<Props, "counts"> & { role: Role }) {
  const { pathname } = useLocation();
  const isModerator = useIsModerator();
  const line = useRef<HTMLUListElement>(null);
  const marked = useRef<HTMLLIElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path decides which entry is marked
  useLayoutEffect(() => {
    if (!line.current || !marked.current) return;
    const [menu, entry] = [line.current.getBoundingClientRect(), marked.current.getBoundingClientRect()];
    line.current.scrollLeft += entry.left + entry.width / 2 - (menu.left + menu.width / 2);
  }, [pathname]);
  return (
    <nav aria-label={t.title} className="lg:row-span-2 lg:row-start-1">
      {/* The padding leaves room for the ring around the focused entry. */}
      <ul
        ref={line}
        // The browser does not scroll to a focused entry that is visible in part.
        onFocus={({ target }) => target.scrollIntoView?.({ block: "nearest", inline: "center" })}
        className="flex gap-1.5 max-lg:-mx-page max-lg:overflow-x-auto max-lg:px-page max-lg:py-1.5 max-lg:[scrollbar-width:none] lg:-ms-4 lg:sticky lg:top-24 lg:flex-col lg:gap-1"
      >
        {menuOf(role, isModerator).map(({ to, label, alsoOn }) => {
          const isMarked = matchPath({ path: to, end: false }, pathname) !== null || alsoOn?.test(pathname);
          return (
            <li key={to} ref={isMarked ? marked : null} className="relative">
              <NavLink
                to={to}
                title={counts[to] ? t.waitHere(counts[to]) : undefined}
                className={cx(
                  "block whitespace-nowrap rounded-full border px-4 py-1.5 font-semibold transition-colors max-sm:px-3.5 max-sm:text-sm",
                  isMarked
                    ? "border-transparent bg-brand-soft text-brand"
                    : "border-line text-muted hover:bg-sunk hover:text-ink lg:border-transparent",
                )}
              >
                {label}
              </NavLink>
              {counts[to] ? <Count of={counts[to]} /> : null}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** On the corner of its entry, so that a new number moves nothing. */
function Count({ of }: { of: number }) {
  return (
    <span
      aria-hidden="true"
      className="-end-1 -top-1.5 pointer-events-none absolute min-w-5 rounded-full bg-brand px-1 text-center font-bold text-on-brand text-xs leading-5 tabular-nums lg:end-3 lg:top-2.5"
    >
      {of > 99 ? "99+" : of}
    </span>
  );
}
