import { useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { errorMessage } from "@/api/errors";
import { useMe } from "@/api/me";
import type { Product } from "@/api/types";
import { useAllPages } from "@/api/useAllPages";
import { type ListView, rowsOf, useList } from "@/api/useList";
import * as t from "@/texts/selling";
import {
  Button,
  buttonClass,
  type Column,
  ConfirmDialog,
  EmptyState,
  ListTable,
  Options,
  Select,
  Table,
  Trans,
  useKeptFocus,
  useRowSnapshot,
  useToast,
} from "@/ui";
import { AdvertiseCell } from "./AdvertiseCell";
import { AdvertiseNote } from "./AdvertiseNote";
import { ownProducts, useDeleteProductMutation } from "./endpoints";
import { likeUrl } from "./likeUrl";
import { NameCell } from "./NameCell";
import { PriceCell } from "./PriceCell";
import { SalesStatus } from "./SalesStatus";
import {
  comparePositions,
  SORT_ORDERS,
  type Sort,
  STATUS_FILTERS,
  type StatusFilter,
  tablePosition,
} from "./tablePosition";

/** /dashboard/myProducts: the signed-in seller's phones, live; the sold ones are in a second table. */
export default function MyProducts() {
  const email = useMe()?.email;
  const view = useAllPages(useList(ownProducts, email ? { email } : null));
  const { show, sort, choose } = useTableOptions();
  const [toDelete, setToDelete] = useState<Product | null>(null);
  const all = rowsOf(view.list);
  const { unsold, sold } = useTables(all, show, sort);
  const keptFocus = useKeptFocus<HTMLElement>();
  return (
    <>
      <section aria-labelledby="products-title" {...keptFocus} className="grid gap-5">
        <h2 id="products-title" tabIndex={-1} className="font-bold text-2xl">
          {view.list ? t.myProductsCount(view.list.total) : t.myProducts}
        </h2>
        <AdvertiseNote />
        {view.list?.total !== 0 && (
          <div className="grid grid-cols-2 gap-3 sm:max-w-md">
            <Select
              label={t.show}
              value={show}
              onChange={(event) => choose({ show: event.target.value, sort })}
            >
              <Options labels={t.statusFilters} />
            </Select>
            <Select
              label={t.sortBy}
              value={sort}
              onChange={(event) => choose({ show, sort: event.target.value })}
            >
              <Options labels={t.sortOrders} />
            </Select>
          </div>
        )}
        {all.length > 0 && unsold.length + sold.length === 0 ? (
          <EmptyState title={t.noneWithStatus}>
            <Button variant="secondary" onClick={() => choose({ show: "all", sort })}>
              {t.showAll}
            </Button>
          </EmptyState>
        ) : (
          <Tables key={`${show} ${sort}`} view={view} unsold={unsold} sold={sold} onDelete={setToDelete} />
        )}
      </section>
      <DeleteDialog product={toDelete} onDone={() => setToDelete(null)} />
    </>
  );
}

/** The filter and the sort order, in the URL: they are kept when the seller returns from a phone. */
function useTableOptions() {
  const [params, setParams] = useSearchParams();
  const show = STATUS_FILTERS.find((one) => one === params.get("show")) ?? "all";
  const sort = SORT_ORDERS.find((one) => one === params.get("sort")) ?? "newest";
  const choose = (choice: { show: string; sort: string }) => setParams(choice, { replace: true });
  return { show, sort, choose };
}

/** The rows of both tables. A phone that is paid for is not moved until the seller changes the filter or the order. */
function useTables(all: Product[], show: StatusFilter, sort: Sort) {
  const positionOf = useRowSnapshot(`${show} ${sort}`, (phone: Product) => tablePosition(phone, show, sort));
  const sorted = all.toSorted((one, other) => comparePositions(positionOf(one), positionOf(other)));
  return {
    unsold: sorted.filter((phone) => positionOf(phone).table === "unsold"),
    sold: sorted.filter((phone) => positionOf(phone).table === "sold"),
  };
}

interface TablesProps {
  view: ListView<Product>;
  unsold: Product[];
  sold: Product[];
  onDelete: (product: Product) => void;
}

function Tables({ view, unsold, sold, onDelete }: TablesProps) {
  const columns = columnsOf(onDelete);
  const soldTitle = sold.some(({ refunded }) => refunded) ? t.soldAndRefunded : t.soldPhones;
  return (
    <>
      {(unsold.length > 0 || sold.length === 0) && (
        <ListTable
          view={view}
          rows={unsold}
          caption={t.tableCaption}
          columns={columns}
          empty={t.empty}
          emptyHint={
            <Trans
              text={t.emptyHint}
              values={{
                link: (text) => (
                  <Link to="/dashboard/addProduct" className="text-brand underline">
                    {text}
                  </Link>
                ),
              }}
            />
          }
        />
      )}
      {sold.length > 0 && (
        <section aria-labelledby="sold-title" className="grid gap-3">
          <h3 id="sold-title" className="pt-2 font-bold text-xl">
            {soldTitle}
          </h3>
          <Table caption={soldTitle} columns={columns} rows={sold} rowKey={({ _id }) => _id} />
        </section>
      )}
    </>
  );
}

function columnsOf(onDelete: (product: Product) => void): Column<Product>[] {
  return [
    { header: t.columns.name, cardSlot: "title", cell: (p) => <NameCell product={p} /> },
    { header: t.columns.price, width: "w-48", cell: (p) => <PriceCell product={p} /> },
    { header: t.columns.status, width: "w-50", cell: (p) => <SalesStatus product={p} /> },
    { header: t.columns.advertise, width: "w-46", cell: (p) => <AdvertiseCell product={p} /> },
    {
      header: t.columns.deletion,
      cardSlot: "action",
      width: "w-30",
      cell: (p) => <ActionsCell product={p} onDelete={onDelete} />,
    },
  ];
}

/** The link to the offers and the Delete button, or a link to list a refunded phone again. The server deletes no booked phone; a held one may become available again, a sold one does not. */
function ActionsCell({ product, onDelete }: Pick<TablesProps, "onDelete"> & { product: Product }) {
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-2">
      {!product.sold && (
        <Link
          to={`/dashboard/messages?product=${product._id}`}
          aria-label={t.offersFor(product.name)}
          className={buttonClass({ size: "sm", variant: "secondary" })}
        >
          {t.offers}
        </Link>
      )}
      {product.refunded && (
        <Link
          to={likeUrl(product, true)}
          aria-label={t.listAgainOf(product.name)}
          className={buttonClass({ size: "sm", variant: "secondary" })}
        >
          {t.listAgain}
        </Link>
      )}
      {!product.sold && (
        <Button
          size="sm"
          variant="danger"
          disabled={product.booked}
          title={product.booked ? t.heldNotDeleted : t.deletePhone(product.name)}
          onClick={() => onDelete(product)}
        >
          {t.deleteLabel}
        </Button>
      )}
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
    if (error) toast(errorMessage(error), "error");
    else toast(t.deleted);
  };
  return (
    <ConfirmDialog
      open={product !== null}
      title={t.deleteQuestion}
      busy={isLoading}
      onConfirm={() => void confirm()}
      onCancel={onDone}
    >
      <p>
        <Trans text={t.deleteConsequence} values={{ name: <strong>{product?.name}</strong> }} />
      </p>
    </ConfirmDialog>
  );
}
