import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import * as t from "@/texts/home";
import { buttonClass } from "@/ui";
import { Hero } from "./Hero";

interface Props {
  /** What belongs to other features; app hands it in. */
  shopWindow: ReactNode;
  brands: ReactNode;
  /** Everything below the brands. */
  rest: ReactNode;
}

/** The first screen. */
export function Home({ shopWindow, brands, rest }: Props) {
  return (
    <>
      <Hero shopWindow={shopWindow} />
      <section aria-labelledby="brands" className="screen-width grid gap-5 pt-8 lg:pt-10">
        <div className="flex flex-wrap items-end justify-between gap-4">
          <h2 id="brands" className="font-extrabold text-3xl">
            {t.brands}
          </h2>
          <Link to="/categories" className={buttonClass({ variant: "secondary" })}>
            {t.allBrands}
          </Link>
        </div>
        {brands}
      </section>
      {rest}
    </>
  );
}
