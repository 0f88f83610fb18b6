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
  if (!product.booked) return <Badge tone="ok">Available</Badge>;
  return (
    <div className="grid gap-1">
      <span>
        <Badge tone="warn">Sold</Badge>
      </span>
      <span className="text-muted text-sm">
        {product.sold ? <SoldTo product={product} /> : heldWords(product)}
      </span>
    </div>
  );
}

function heldWords({ heldUntil }: Product): string {
  return heldUntil ? `Held, not paid yet; until ${moment.format(new Date(heldUntil))}` : "Held, not paid yet";
}

function SoldTo({ product: { buyer } }: { product: Product }) {
  if (!buyer) return <>Paid</>;
  return (
    <>
      Paid by {buyer.name}, {buyer.phone}
      {buyer.location && `, ${buyer.location}`}
      <br />
      <a href={`mailto:${buyer.email}`} className="break-all underline">
        {buyer.email}
      </a>
    </>
  );
}
