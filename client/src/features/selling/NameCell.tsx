import { Link } from "react-router-dom";
import type { Product } from "@/api/types";
import * as t from "@/texts/selling";
import { Thumbnail } from "@/ui";
import { PencilIcon } from "@/ui/icons";
import { ListAnother } from "./ListAnother";

/** The name with a link to the edit form, unless the phone is sold, and links to its page and to list another one. */
export function NameCell({ product }: { product: Product }) {
  return (
    <div className="flex items-center gap-4">
      <Thumbnail product={product} width="w-16" />
      <div className="wrap-anywhere grid min-w-0 grid-cols-1 justify-items-start">
        {product.sold ? (
          <span className="flex min-h-9 items-center font-bold">{product.name}</span>
        ) : (
          <EditLink product={product} />
        )}
        <span className="flex flex-wrap gap-x-4">
          <Link
            to={`/phone/${product._id}`}
            aria-label={t.viewPageOf(product.name)}
            className="py-0.5 font-normal text-brand text-sm underline underline-offset-4"
          >
            {t.viewPage}
          </Link>
          {!product.refunded && <ListAnother product={product} />}
        </span>
      </div>
    </div>
  );
}

function EditLink({ product }: { product: Product }) {
  return (
    <Link
      to={`/dashboard/myProducts/${product._id}`}
      title={t.editPhone(product.name)}
      className="group flex min-h-9 min-w-0 max-w-full items-center gap-2 font-bold hover:text-brand"
    >
      <span className="min-w-0 decoration-2 underline-offset-4 group-hover:underline">{product.name}</span>
      <PencilIcon className="size-4.5 shrink-0 text-muted group-hover:text-brand" />
    </Link>
  );
}
