import { Link } from "react-router-dom";
import { useIsOwnPhone } from "@/api/me";
import { useKnownRole } from "@/api/role";
import type { Product } from "@/api/types";
import * as t from "@/texts/ask";
import { cx } from "@/ui";

interface Props {
  product: Product;
  /** The text's size and the space around it. */
  className?: string;
}

const LINK = "inline-flex min-h-9 items-center font-semibold text-brand underline-offset-4 hover:underline";

/** Links to a conversation with the seller: a question, or an offer. Visitors are led to the login, which leads there. */
export function AskLinks({ product, className }: Props) {
  const isOwn = useIsOwnPhone(product);
  const isAdmin = useKnownRole() === "admin";
  if (isOwn || isAdmin || product.sold) return null;
  const to = `/dashboard/messages/new?phone=${product._id}`;
  return (
    <p className={cx("flex flex-wrap gap-x-4", className)}>
      <Link to={to} className={LINK} aria-describedby={`phone-${product._id}`}>
        {t.ask}
      </Link>
      {product.offers && (
        <Link to={`${to}&offer`} className={LINK} aria-describedby={`phone-${product._id}`}>
          {t.makeOffer}
        </Link>
      )}
    </p>
  );
}
