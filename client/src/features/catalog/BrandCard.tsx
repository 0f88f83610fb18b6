import { Link } from "react-router-dom";
import type { Brand } from "@/api/types";
import { Picture } from "@/ui";

/** An image card that leads to the brand's phones. */
export function BrandCard({ brand, eager }: { brand: Brand; eager?: boolean }) {
  return (
    <Link
      to={`/category/${brand._id}`}
      className="group grid overflow-hidden rounded-lg border border-line bg-surface shadow-card transition-shadow hover:shadow-lift"
    >
      <Picture
        imgClassName="animate-arrive"
        src={brand.img}
        alt=""
        ratio="landscape"
        eager={eager}
        fit="cover"
      />
      <span className="flex items-center justify-between gap-2 px-4 py-3 font-semibold">
        {brand.name}
        <span aria-hidden="true" className="text-accent transition-transform group-hover:translate-x-1">
          →
        </span>
      </span>
    </Link>
  );
}
