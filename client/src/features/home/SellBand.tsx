import { Link } from "react-router-dom";
import { useMe } from "@/api/me";
import { buttonClass } from "@/ui";

/** Between buying and asking: the other half of the market. */
export function SellBand() {
  const me = useMe();
  return (
    <section aria-labelledby="sell" className="screen-width">
      <div className="flex flex-wrap items-center justify-between gap-6 rounded-xl bg-brand-soft p-6 sm:p-10">
        <div className="grid gap-2">
          <h2 id="sell" className="font-extrabold text-3xl">
            One lies in a drawer?
          </h2>
          <p className="max-w-prose text-lg">
            A photograph, a price and where you are: it is on every buyer's screen the moment you press the
            button.
          </p>
        </div>
        <Link to={me ? "/dashboard" : "/signUp"} className={buttonClass({ size: "lg" })}>
          {me ? "Go to your dashboard" : "Sell a phone"}
        </Link>
      </div>
    </section>
  );
}
