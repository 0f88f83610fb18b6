import { useState } from "react";
import { Link } from "react-router-dom";
import { messageOf } from "@/api/errors";
import { useMe } from "@/api/me";
import type { Product } from "@/api/types";
import { rowsOf, useList } from "@/api/useList";
import { Button, type Column, ConfirmDialog, ListTable, Picture, tintOf, useToast } from "@/ui";
import { AdvertiseCell } from "./AdvertiseCell";
import { ownProducts, useDeleteProductMutation } from "./endpoints";
import { PriceCell } from "./PriceCell";
import { SalesStatus } from "./SalesStatus";

/** /dashboard/myProducts: the signed-in seller's own phones, live. */
export default function MyProducts() {
  const email = useMe()?.email;
  const view = useList(ownProducts, email ? { email } : null);
  const [doomed, setDoomed] = useState<Product | null>(null);
  return (
    <section aria-labelledby="products-title" className="grid gap-5">
      <h2 id="products-title" className="font-bold text-2xl">
        My Products{view.list && `: ${view.list.total}`}
      </h2>
      <ListTable
        view={view}
        rows={rowsOf(view.list)}
        caption="My products"
        columns={columns(setDoomed)}
        empty="You have no phones listed"
        emptyHint={
          <>
            <Link to="/dashboard/addProduct" className="text-brand underline">
              Add your first one
            </Link>{" "}
            and it shows up under its brand at once.
          </>
        }
      />
      <DeleteDialog product={doomed} onDone={() => setDoomed(null)} />
    </section>
  );
}

function columns(onDelete: (product: Product) => void): Column<Product>[] {
  return [
    {
      header: "Product-Name",
      stands: "title",
      cell: (p) => (
        <div className="flex items-center gap-4">
          <Picture
            src={p.img}
            photo={p.photos[0]}
            sizes="4rem"
            alt=""
            tint={tintOf(p.id)}
            className="w-16 shrink-0 rounded-sm p-1"
          />
          <span className="min-w-0 font-bold">{p.name}</span>
        </div>
      ),
    },
    { header: "Price", cell: (p) => <PriceCell product={p} /> },
    { header: "Sales-status", cell: (p) => <SalesStatus product={p} /> },
    { header: "Advertise", cell: (p) => <AdvertiseCell product={p} /> },
    {
      header: "Delete",
      stands: "action",
      cell: (p) => (
        <Button size="sm" variant="danger" title={`Delete ${p.name}`} onClick={() => onDelete(p)}>
          Delete
        </Button>
      ),
    },
  ];
}

function DeleteDialog({ product, onDone }: { product: Product | null; onDone: () => void }) {
  const [remove, { isLoading }] = useDeleteProductMutation();
  const toast = useToast();
  const confirm = async () => {
    if (!product) return;
    const { error } = await remove(product._id);
    onDone();
    if (error) toast(messageOf(error), "error");
    else toast("Deleted Successfully");
  };
  return (
    <ConfirmDialog
      open={product !== null}
      title="Are you sure you want to delete this product?"
      busy={isLoading}
      onConfirm={() => void confirm()}
      onCancel={onDone}
    >
      <p>
        <strong>{product?.name}</strong> leaves the market at once.
      </p>
    </ConfirmDialog>
  );
}
