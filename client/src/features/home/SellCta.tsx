import { Link } from "react-router-dom";
import { useMe } from "@/api/me";
import { useRole } from "@/api/role";
import { ADD_PRODUCT, SIGN_UP_TO_SELL } from "@/lib/loginOrigin";
import { sellYours } from "@/texts/layout";
import * as t from "@/texts/sell";
import { buttonClass } from "@/ui";

/** The invitation to sell a phone; admins do not sell. */
export function SellCta() {
  const me = useMe();
  const { role } = useRole();
  if (role === "admin") return null;
  return (
    <section aria-labelledby="sell" className="screen-width">
      <div className="flex flex-wrap items-center justify-between gap-6 rounded-xl bg-brand-soft p-6 sm:p-10">
        <div className="grid gap-2">
          <h2 id="sell" className="font-extrabold text-2xl sm:text-3xl">
            {t.question}
          </h2>
          <p className="max-w-prose sm:text-lg">{t.lead}</p>
        </div>
        <Link to={me ? ADD_PRODUCT : SIGN_UP_TO_SELL} className={buttonClass()}>
          {role === "seller" ? t.add : sellYours}
        </Link>
      </div>
    </section>
  );
}
