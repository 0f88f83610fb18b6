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
    <footer className="mt-auto border-line border-t bg-sunk">
      <div className="mx-auto grid max-w-7xl gap-10 px-4 py-12 sm:grid-cols-3">
        <div className="grid content-start gap-2">
          <Logo />
          <p className="text-muted">Sell and Buy Used Phones</p>
        </div>
        <section aria-labelledby="services" className="grid content-start gap-2">
          <h2 id="services" className="font-semibold text-muted text-sm">
            Services
          </h2>
          <ul className="grid gap-1.5">
            {services.map((service) => (
              <li key={service}>{service}</li>
            ))}
          </ul>
        </section>
        <nav aria-labelledby="pages" className="grid content-start gap-2">
          <h2 id="pages" className="font-semibold text-muted text-sm">
            Pages
          </h2>
          <ul className="grid gap-1.5">
            {links.map(([to, text]) => (
              <li key={to}>
                <Link to={to} className="underline-offset-4 hover:text-brand hover:underline">
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <p className="border-line border-t px-4 py-5 text-center text-muted text-sm">
        Copyright 2022 - All right reserved by SecondRing
      </p>
    </footer>
  );
}
