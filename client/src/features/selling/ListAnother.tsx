import { Link } from "react-router-dom";
import type { Product } from "@/api/types";
import { listAnother, listAnotherOf } from "@/texts/sell";
import { likeUrl } from "./likeUrl";

/** The link on a seller's own phone to the form of a new phone like it. */
export const ListAnother = ({ product }: { product: Product }) => (
  <Link
    to={likeUrl(product, false)}
    aria-label={listAnotherOf(product.name)}
    className="justify-self-start py-0.5 font-normal text-brand text-sm underline underline-offset-4"
  >
    {listAnother}
  </Link>
);
