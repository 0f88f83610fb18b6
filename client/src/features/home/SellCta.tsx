import { Link } from "react-router-dom";
import { useMe } from "@/api/me";
import * as t from "@/texts/home";
import { buttonClass } from "@/ui";

/** The call to sell a phone. */
export function SellCta() {
  const me = useMe();
  return (
    <section aria-labelledby="sell" className="screen-width">
      <div className="flex flex-wrap items-center justify-between gap-6 rounded-xl bg-brand-soft p-6 sm:p-10">
        <div className="grid gap-2">
          <h2 id="sell" className="font-extrabold text-3xl">
            {t.sell}
          </h2>
          <p className="max-w-prose text-lg">{t.sellLead}</p>
        </div>
        <Link to={me ? "/dashboard" : "/signUp"} className={buttonClass({ size: "lg" })}>
          {me ? t.toDashboard : t.sellPhone}
        </Link>
      </div>
    </section>
  );
}
