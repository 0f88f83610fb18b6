import { Link } from "react-router-dom";
import * as t from "@/texts/catalog";
import { buttonClass } from "@/ui";

/** Links for a brand or phone that does not exist. */
export const NotFoundLinks = () => (
  <div className="flex flex-wrap justify-center gap-3">
    <Link to="/categories" className={buttonClass({ variant: "secondary" })}>
      {t.allBrands}
    </Link>
    <Link to="/search" className={buttonClass({ variant: "secondary" })}>
      {t.searchAll}
    </Link>
  </div>
);
