import { Link } from "react-router-dom";
import { useMe } from "@/api/me";
import { useRole } from "@/api/role";
import { ADD_PRODUCT, SIGN_UP_TO_SELL } from "@/lib/loginOrigin";
import { sellYours } from "@/texts/layout";
import * as t from "@/texts/sell";
import { Button, buttonClass } from "@/ui";

interface Props {
  /** Signs a buyer out and leads to the sign-up of a seller. */
  onSignUpToSell: () => void;
}

/** The invitation to sell a phone, with a link for each role; admins do not sell. */
export function SellCta({ onSignUpToSell }: Props) {
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
          <p className="max-w-prose sm:text-lg">{role === "buyer" ? t.needsSeller : t.lead}</p>
        </div>
        {role === "buyer" && <Button onClick={onSignUpToSell}>{t.becomeSeller}</Button>}
        {role !== "buyer" && (!me || role === "seller") && (
          <Link to={me ? ADD_PRODUCT : SIGN_UP_TO_SELL} className={buttonClass()}>
            {me ? t.add : sellYours}
          </Link>
        )}
      </div>
    </section>
  );
}
