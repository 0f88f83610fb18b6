import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { buttonClass } from "@/ui";
import { Hero } from "./Hero";

interface Props {
  /** The six brands, the live list and the contact section belong to other features; app hands them in. */
  brands: ReactNode;
  advertised: ReactNode;
  contact: ReactNode;
}

/** The first screen. */
export function Home({ brands, advertised, contact }: Props) {
  return (
    <>
      <Hero />
      <section aria-labelledby="brands" className="border-line border-y bg-sunk">
        <div className="mx-auto grid max-w-7xl gap-8 px-4 py-16">
          <div className="flex flex-wrap items-end justify-between gap-4">
            <h2 id="brands" className="font-bold text-3xl">
              Smartphone Brands
            </h2>
            <Link to="/categories" className={buttonClass({ variant: "secondary" })}>
              View All Brands
            </Link>
          </div>
          {brands}
        </div>
      </section>
      {advertised}
      {contact}
    </>
  );
}
