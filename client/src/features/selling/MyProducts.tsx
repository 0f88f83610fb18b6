import { useState } from "react";
import { Link } from "react-router-dom";
import { messageOf } from "@/api/errors";
import { useMe } from "@/api/me";
import type { Product } from "@/api/types";
import { rowsOf, useList } from "@/api/useList";
import * as t from "@/texts/selling";
import { Button, brandTint, type Column, ConfirmDialog, ListTable, Picture, Trans, useToast } from "@/ui";
import { PencilIcon } from "@/ui/icons";
import { AdvertiseCell, AdvertiseNote } from "./AdvertiseCell";
import { ownProducts, useDeleteProductMutation } from "./endpoints";
import { PriceCell } from "./PriceCell";
import { SalesStatus } from "./SalesStatus";

/** /dashboard/myProducts: the signed-in seller's own phones, live. */
export default function MyProducts() {
  const email = useMe()?.email;
  const view = useList(ownProducts, email ? { email } : null);
  const [doomed, setDoomed] = useState<Product | null>(null);
  const rows = rowsOf(view.list);
  return (
    <section aria-labelledby="products-title" className="grid gap-5">
      <h2 id="products-title" className="font-bold text-2xl">
        {view.list ? t.myProductsCount(view.list.total) : t.myProducts}
      </h2>
      <AdvertiseNote />
      <ListTable
        view={view}
        rows={rows}
        caption={t.tableCaption}
        columns={columns(setDoomed)}
        empty={t.empty}
        emptyHint={
          <Trans
            text={t.emptyHint}
            values={{
              link: (words) => (
                <Link to="/dashboard/addProduct" className="text-brand underline">
                  {words}
                </Link>
              ),
            }}
          />
        }
      />
      <DeleteDialog product={doomed} onDone={() => setDoomed(null)} />
    </section>
  );
}

function columns(onDelete: (product: Product) => void): Column<Product>[] {
  return [
    { header: t.columns.name, cardSlot: "title", cell: (p) => <NameCell product={p} /> },
    { header: t.columns.price, width: "w-48", cell: (p) => <PriceCell product={p} /> },
    { header: t.columns.status, width: "w-50", cell: (p) => <SalesStatus product={p} /> },
    { header: t.columns.advertise, width: "w-46", cell: (p) => <AdvertiseCell product={p} /> },
    {
      header: t.columns.remove,
      cardSlot: "action",
      width: "w-30",
      cell: (p) => (
        <Button size="sm" variant="danger" title={t.removeWhich(p.name)} onClick={() => onDelete(p)}>
          {t.remove}
        </Button>
      ),
    },
  ];
}

/** The name leads to where the phone is changed. */
function NameCell({ product }: { product: Product }) {
  return (
    <div className="flex items-center gap-4">
      <Picture
        src={product.img}
        photo={product.photos[0]}
        sizes="4rem"
        alt=""
        tint={brandTint(product.id)}
        className="w-16 shrink-0 rounded-sm p-1"
      />
      <Link
        to={`/dashboard/myProducts/${product._id}`}
        title={t.editWhich(product.name)}
        className="group flex min-h-9 min-w-0 items-center gap-2 font-bold hover:text-brand"
      >
        <span className="min-w-0 decoration-2 underline-offset-4 group-hover:underline">{product.name}</span>
        <PencilIcon className="size-4.5 shrink-0 text-muted group-hover:text-brand" />
      </Link>
    </div>
  );
}

function DeleteDialog({ product, onDone }: { product: Product | null; onDone: () => void }) {
  const [remove, { isLoading }] = useDeleteProductMutation();
  const toast = useToast();
  const confirm = async () => {
    if (!product) return;
    const { error } = await remove(product._id);
    onDone();
    if (error) toast(messageOf(error), "error");
    else toast(t.removed);
  };
  return (
    <ConfirmDialog
      open={product !== null}
      title={t.removeQuestion}
      busy={isLoading}
      onConfirm={() => void confirm()}
      onCancel={onDone}
    >
      <p>
        <Trans text={t.leavesAtOnce} values={{ name: <strong>{product?.name}</strong> }} />
      </p>
    </ConfirmDialog>
  );
}
