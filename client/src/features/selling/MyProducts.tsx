import { useState } from "react";
import { Link } from "react-router-dom";
import { messageOf } from "@/api/errors";
import { useMe } from "@/api/me";
import type { Product } from "@/api/types";
import { rowsOf, useList } from "@/api/useList";
import {
  Button,
  type Column,
  ConfirmDialog,
  EmptyState,
  ErrorState,
  LoadMore,
  Spinner,
  Table,
  useToast,
} from "@/ui";
import { AdvertiseCell } from "./AdvertiseCell";
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
        My Products{view.list && `: ${view.list.total}`}
      </h2>
      {view.isLoading && <Spinner />}
      {view.error && <ErrorState message={view.error} onRetry={view.retry} busy={view.isFetching} />}
      {view.list && rows.length === 0 && (
        <EmptyState title="You have no phones listed">
          <Link to="/dashboard/addProduct" className="text-brand underline">
            Add your first one
          </Link>{" "}
          and it shows up under its brand at once.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <Table caption="My products" columns={columns(setDoomed)} rows={rows} rowKey={(row) => row._id} />
      )}
      {view.hasMore && (
        <LoadMore
          shown={rows.length}
          total={view.list?.total}
          hasMore
          busy={view.isLoadingMore}
          onMore={view.loadMore}
        />
      )}
      {view.moreError && <ErrorState message={view.moreError} onRetry={view.loadMore} />}
      <DeleteDialog product={doomed} onDone={() => setDoomed(null)} />
    </section>
  );
}

function columns(onDelete: (product: Product) => void): Column<Product>[] {
  return [
    { header: "Product-Name", cell: (p) => <span className="font-medium">{p.name}</span> },
    { header: "Price", cell: (p) => <PriceCell product={p} /> },
    { header: "Sales-status", cell: (p) => <SalesStatus product={p} /> },
    { header: "Advertise", cell: (p) => <AdvertiseCell product={p} /> },
    {
      header: "Delete",
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
