import { Link } from "react-router-dom";
import { Logo } from "./Logo";

const services = ["Selling", "Buying", "Marketing", "Advertisement"];
const links = [
  ["/", "Home"],
  ["/categories", "Categories"],
  ["/blog", "Blog"],
  ["/contact", "Contact Us"],
] as const;

/** The footer. Services have no page of their own, so they are words and not links. */
export function Footer() {
  return (
    <footer className="mt-auto bg-deep text-on-deep">
      <div className="screen-width grid gap-x-6 gap-y-10 py-12 grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] sm:py-16">
        <div className="grid content-start gap-4 max-sm:col-span-full">
          <Logo onDeep />
          <p className="max-w-xs font-bold text-2xl">Sell and Buy Used Phones</p>
        </div>
        <section aria-labelledby="services" className="grid content-start gap-2">
          <h2 id="services" className="font-semibold text-on-deep-muted text-sm">
            Services
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
            Pages
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
        <p className="border-deep-line border-t py-6 text-on-deep-muted text-sm">
          Copyright 2022 - All right reserved by SecondRing
        </p>
      </div>
    </footer>
  );
}
