import { Link } from "react-router-dom";
import type { Product } from "@/api/types";
import * as t from "@/texts/selling";
import { Badge } from "@/ui";

/** The specification's status: Sold for every booked phone, otherwise Available. Beside Sold it says On hold until the phone is paid. */
export function SalesStatus({ product }: { product: Product }) {
  const { heldUntil } = product;
  return (
    // Two lines high in every status, so that a live change moves nothing.
    <div className="grid min-h-14 content-center justify-items-start gap-1 @4xl:w-44">
      <div className="flex items-center gap-x-2.5">
        <StatusBadge product={product} />
        {product.booked && !product.sold && <Badge>{t.onHold}</Badge>}
        {product.bookingId && (
          <Link
            to={`/dashboard/order/${product.bookingId}`}
            aria-label={t.seeOrderOf(product.name)}
            className="py-0.5 font-semibold text-brand text-sm underline underline-offset-4"
          >
            {t.seeOrder}
          </Link>
        )}
      </div>
      {product.sold && !product.refunded && <BuyerContact product={product} />}
      {product.booked && !product.sold && (
        <span className="text-muted text-sm">{heldUntil ? t.heldUntil(heldUntil) : t.held}</span>
      )}
    </div>
  );
}

function StatusBadge({ product: { booked, refunded } }: { product: Product }) {
  if (refunded) return <Badge>{t.refunded}</Badge>;
  return booked ? <Badge tone="warn">{t.sold}</Badge> : <Badge tone="ok">{t.available}</Badge>;
}

/** The buyer of a paid phone; the contact details are collapsed. */
function BuyerContact({ product: { buyer } }: { product: Product }) {
  if (!buyer) return <span className="text-muted text-sm">{t.paid}</span>;
  return (
    <details className="text-muted text-sm">
      <summary className="cursor-pointer py-0.5">{t.paidBy(buyer.name)}</summary>
      <a href={`mailto:${buyer.email}`} className="block py-0.5 break-all underline">
        {buyer.email}
      </a>
      <span className="block">{buyer.phone}</span>
      {buyer.location && <span className="block">{buyer.location}</span>}
    </details>
  );
}
