import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { useMe } from "@/api/me";
import * as t from "@/texts/home";
import { buttonClass, HeroRings, LiveDot } from "@/ui";

/** The first section of Home: title, links, and advertised phones beside them. */
export function Hero({ shopWindow }: { shopWindow: ReactNode }) {
  const me = useMe();
  return (
    <section className="screen-width pt-3 sm:pt-5">
      <div className="relative grid items-center gap-8 overflow-hidden rounded-xl bg-deep p-5 pt-9 text-on-deep sm:p-10 lg:grid-cols-2 lg:gap-12 lg:p-12">
        <HeroRings />
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
