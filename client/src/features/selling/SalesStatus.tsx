import type { Product } from "@/api/types";
import { Badge } from "@/ui";

const moment = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** The spec's word, Sold or Available, and beside it whether a booked phone is held or paid for. */
export function SalesStatus({ product }: { product: Product }) {
  return (
    // Two lines high in every state: a pushed change moves nothing.
    <div className="grid min-h-14 content-center justify-items-start gap-1 @4xl:w-44">
      {product.booked ? <Badge tone="warn">Sold</Badge> : <Badge tone="ok">Available</Badge>}
      {product.sold && <SoldTo product={product} />}
      {product.booked && !product.sold && <span className="text-muted text-sm">{heldWords(product)}</span>}
    </div>
  );
}

function heldWords({ heldUntil }: Product): string {
  return heldUntil ? `Held until ${moment.format(new Date(heldUntil))}` : "Held, not paid yet";
}

/** Who paid; how to reach them opens on demand. */
function SoldTo({ product: { buyer } }: { product: Product }) {
  if (!buyer) return <span className="text-muted text-sm">Paid</span>;
  return (
    <details className="text-muted text-sm">
      <summary className="cursor-pointer py-0.5">Paid by {buyer.name}</summary>
      <a href={`mailto:${buyer.email}`} className="block py-0.5 break-all underline">
        {buyer.email}
      </a>
      <span className="block">{buyer.phone}</span>
      {buyer.location && <span className="block">{buyer.location}</span>}
    </details>
  );
}
