import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { useMe } from "@/api/me";
import * as t from "@/texts/home";
import { buttonClass, LiveDot, RingField } from "@/ui";

/** The first thing seen: what this is, the way in, and beside it phones that are on offer now. */
export function Hero({ shopWindow }: { shopWindow: ReactNode }) {
  const me = useMe();
  return (
    <section className="screen-width pt-3 sm:pt-5">
      <div className="relative grid items-center gap-8 overflow-hidden rounded-xl bg-deep p-5 pt-9 text-on-deep sm:p-10 lg:grid-cols-2 lg:gap-12 lg:p-12">
        <RingField />
        <div className="relative grid justify-items-start gap-5 sm:gap-6">
          <p className="flex items-center gap-2.5 font-semibold text-sm text-signal">
            <LiveDot />
            {t.tagline}
          </p>
          <h1 className="font-extrabold text-4xl">{t.title}</h1>
          <p className="max-w-prose text-lg text-on-deep-muted">{t.lead}</p>
          <div className="flex gap-3 pt-1 max-sm:w-full max-sm:flex-col">
            <Link
              to={me ? "/categories" : "/signUp"}
              className={buttonClass({ variant: "signal", size: "lg" })}
            >
              {t.getStarted}
            </Link>
            <Link to="/categories" className={buttonClass({ variant: "ghost", size: "lg" })}>
              {t.browse}
            </Link>
          </div>
        </div>
        <div className="relative">{shopWindow}</div>
      </div>
    </section>
  );
}

/** A drawn phone for the days on which nothing is advertised. */
export function DrawnPhone() {
  return (
    <div aria-hidden="true" className="mx-auto grid aspect-4/3 w-full max-w-md place-items-center">
      <svg viewBox="0 0 120 230" className="h-full" role="presentation">
        <rect x="3" y="3" width="114" height="224" rx="24" className="fill-on-deep" />
        <rect x="11" y="14" width="98" height="202" rx="15" className="fill-deep" />
        <circle cx="60" cy="88" r="24" className="fill-signal" />
        <path
          d="M50 88h20m-8-9 9 9-9 9"
          className="fill-none stroke-3 stroke-on-signal"
          strokeLinecap="round"
        />
        <rect x="28" y="132" width="64" height="8" rx="4" className="fill-on-deep" />
        <rect x="40" y="148" width="40" height="6" rx="3" className="fill-on-deep-muted" />
      </svg>
    </div>
  );
}
