import { useConfigQuery } from "@/api/config";
import { number } from "@/texts/language";
import * as t from "@/texts/promise";

/** The three steps of an order, and where the money is in each. */
export function HowItWorks() {
  const { data: promises } = useConfigQuery();
  return (
    <section aria-labelledby="how-it-works" className="screen-width grid gap-3 pt-6 sm:gap-4 sm:pt-8">
      <h2 id="how-it-works" className="font-extrabold text-lg sm:text-3xl">
        {t.howItWorks}
      </h2>
      <ol className="grid gap-3 sm:gap-gap lg:grid-cols-3">
        {promises &&
          t.steps(promises).map(({ title, text }, index) => (
            <li key={title} className="grid grid-cols-[auto_1fr] content-start gap-x-4">
              <span
                aria-hidden="true"
                className="row-span-2 grid size-9 place-items-center rounded-full bg-brand-soft font-extrabold text-brand"
              >
                {number(index + 1)}
              </span>
              <p className="font-bold sm:text-lg">{title}</p>
              <p className="text-muted text-sm">{text}</p>
            </li>
          ))}
      </ol>
    </section>
  );
}
