import { Link } from "react-router-dom";
import * as t from "@/texts/catalog";
import { buttonClass } from "@/ui";

/** Where to go from what is not there. */
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
