import { Link } from "react-router-dom";
import * as t from "@/texts/home";
import { buttonClass, cx } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { Hero } from "./Hero";

interface Props {
  /** The parts of other features; app passes them in. */
  heroPhones: Elements;
  brands: Elements;
  /** Everything below the brands. */
  rest: Elements;
}

/** The first screen. */
export function Home({ heroPhones, brands, rest }: Props) {
  return (
    <>
      <Hero phones={heroPhones} />
      <section aria-labelledby="brands" className="screen-width grid gap-3 pt-5 sm:gap-5 sm:pt-8">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 id="brands" className="font-extrabold text-lg sm:text-3xl">
            {t.brands}
          </h2>
          <Link
            to="/categories"
            className={cx(buttonClass({ variant: "secondary", size: "sm" }), "max-sm:px-2")}
          >
            {t.allBrands}
          </Link>
        </div>
        {brands}
      </section>
      {rest}
    </>
  );
}
