import { Link } from "react-router-dom";
import type { Brand } from "@/api/types";
import { brandTint, Picture } from "@/ui";

/** An image card that leads to the brand's phones. */
export function BrandCard({ brand, eager }: { brand: Brand; eager?: boolean }) {
  return (
    <Link
      to={`/category/${brand._id}`}
      className="group grid overflow-hidden rounded-lg border border-line bg-surface shadow-card transition-shadow hover:shadow-lift"
    >
      <Picture
        imgClassName="animate-settle transition-transform group-hover:scale-104"
        src={brand.img}
        alt=""
        ratio="landscape"
        tint={brandTint(brand._id)}
        eager={eager}
        fit="cover"
      />
      <span className="flex min-h-12 items-center justify-between gap-2 px-4 py-3 font-bold sm:text-lg">
        {brand.name}
        <span
          aria-hidden="true"
          className="text-accent transition-transform group-hover:translate-x-1 rtl:-scale-x-100"
        >
          →
        </span>
      </span>
    </Link>
  );
}
