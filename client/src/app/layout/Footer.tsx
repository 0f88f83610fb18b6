import { Link } from "react-router-dom";
import { SIGN_UP_TO_SELL } from "@/lib/loginOrigin";
import * as t from "@/texts/layout";
import { Logo } from "./Logo";

const services = [t.selling, t.buying, t.marketing, t.advertisement];
const links = [
  ["/", t.home],
  ["/categories", t.categories],
  ["/blog", t.blog],
  ["/contact", t.contact],
  [SIGN_UP_TO_SELL, t.sellYours],
] as const;

/** The footer. Services are text and not links: they have no pages. */
export function Footer() {
  return (
    <footer className="mt-auto bg-deep text-on-deep">
      <div className="screen-width grid gap-x-6 gap-y-10 py-12 grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] sm:py-16">
        <div className="grid content-start gap-4 max-sm:col-span-full">
          <Logo onDeep />
          <p className="max-w-xs font-bold text-2xl">{t.tagline}</p>
        </div>
        <section aria-labelledby="services" className="grid content-start gap-2">
          <h2 id="services" className="font-semibold text-on-deep-muted text-sm">
            {t.services}
          </h2>
          <ul className="grid gap-1.5">
            {services.map((service) => (
              <li key={service} className="py-0.5">
                {service}
              </li>
            ))}
          </ul>
        </section>
        <nav aria-labelledby="pages" className="grid content-start gap-2">
          <h2 id="pages" className="font-semibold text-on-deep-muted text-sm">
            {t.pages}
          </h2>
          <ul className="grid gap-1.5">
            {links.map(([to, text]) => (
              <li key={to}>
                <Link
                  to={to}
                  className="inline-block py-0.5 underline-offset-4 hover:text-signal hover:underline"
                >
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div className="screen-width">
        <p className="border-deep-line border-t py-6 text-on-deep-muted text-sm">{t.copyright}</p>
      </div>
    </footer>
  );
}
