import { Link, useLocation } from "react-router-dom";
import { SIGN_UP_TO_SELL } from "@/lib/loginOrigin";
import * as t from "@/texts/layout";
import { cx } from "@/ui";
import { Logo } from "./Logo";

const services = [t.selling, t.buying, t.marketing, t.advertisement];
const links = [
  ["/", t.home],
  ["/categories", t.categories],
  ["/blog", t.blog],
  ["/contact", t.contact],
  [SIGN_UP_TO_SELL, t.sellYours],
] as const;

/** The screens with a task, where the footer is one line. */
const WITH_TASK = /^\/(dashboard|login|signUp|forgot|reset|verify|secondFactor|setup)\b/;

/** The footer. Services are text and not links: they have no pages. */
export function Footer() {
  const isLine = WITH_TASK.test(useLocation().pathname);
  return (
    <footer className="mt-auto bg-deep text-on-deep">
      <div
        className={cx(
          "screen-width flex flex-wrap justify-between gap-x-8",
          isLine ? "items-baseline py-3 text-sm" : "gap-y-8 pt-12 pb-6",
        )}
      >
        {!isLine && (
          <div className="grid content-start gap-3">
            <Logo onDeep />
            <p className="max-w-xs font-bold text-2xl">{t.tagline}</p>
            <ul aria-label={t.services} className="flex flex-wrap gap-x-4 text-on-deep-muted text-sm">
              {services.map((service) => (
                <li key={service}>{service}</li>
              ))}
            </ul>
          </div>
        )}
        <nav aria-label={t.pages}>
          <ul className={cx("flex flex-wrap gap-x-5", !isLine && "flex-col gap-y-1.5")}>
            {links.slice(0, isLine ? 4 : 5).map(([to, text]) => (
              <li key={to}>
                <Link to={to} className="inline-block py-0.5 underline underline-offset-4 hover:text-signal">
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <p
          className={cx(
            "text-on-deep-muted text-sm",
            isLine ? "order-first py-0.5" : "w-full border-deep-line border-t pt-6",
          )}
        >
          {t.copyright}
        </p>
      </div>
    </footer>
  );
}
