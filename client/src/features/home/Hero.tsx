import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { useMe } from "@/api/me";
import * as t from "@/texts/home";
import { buttonClass, HeroRings, LiveDot } from "@/ui";

/** The first section of Home: title, links, and advertised phones beside them. */
export function Hero({ phones }: { phones: ReactNode }) {
  const me = useMe();
  return (
    <section className="screen-width pt-2 sm:pt-4">
      <div className="relative grid items-center gap-5 overflow-hidden rounded-lg bg-deep p-4 text-on-deep sm:gap-8 sm:rounded-xl sm:p-8 lg:grid-cols-[11fr_10fr] lg:gap-10">
        <HeroRings />
        <div className="relative grid justify-items-start gap-3 sm:gap-4">
          <p className="flex items-center gap-2.5 font-semibold text-sm text-signal">
            <LiveDot />
            <span>{t.tagline}</span>
          </p>
          <h1 className="font-extrabold text-4xl">{t.title}</h1>
          <p className="max-w-prose text-on-deep-muted sm:text-lg">{t.lead}</p>
          <div className="flex flex-wrap gap-2 pt-1 max-sm:*:flex-1 max-sm:*:whitespace-nowrap max-sm:*:px-2 sm:gap-3">
            <Link to={me ? "/categories" : "/signUp"} className={buttonClass({ variant: "signal" })}>
              {t.getStarted}
            </Link>
            <Link to="/categories" className={buttonClass({ variant: "ghost" })}>
              {t.browse}
            </Link>
          </div>
        </div>
        <div className="relative">{phones}</div>
      </div>
    </section>
  );
}
