import { useMemo } from "react";
import { Link, Outlet, useParams, useSearchParams } from "react-router-dom";
import { rowsOf, useList } from "@/api/useList";
import * as t from "@/texts/messages";
import { cx, EmptyState, ErrorState, Loading, NextPage, Skeleton } from "@/ui";
import { newestFirst, threads } from "./endpoints";
import { ThreadList } from "./ThreadList";
import { useOffers } from "./useOffers";

/**
 * /dashboard/messages: the conversations, and beside them the open one; on a narrow screen one after the other. With a
 * phone in the address: those about this phone, with their offers.
 */
export default function Messages() {
  const { id } = useParams();
  const [params] = useSearchParams();
  const productID = params.get("product") ?? undefined;
  const view = useList(
    threads,
    useMemo(() => ({ filter: { productID } }), [productID]),
  );
  const offers = useOffers(productID);
  const rows = rowsOf(view.list).sort(newestFirst);
  const isOpen = id !== undefined || params.has("phone");
  const label = productID && rows[0] ? t.ofPhone(rows[0].product.name) : t.list;
  return (
    <section aria-labelledby="messages-title" className="grid content-start gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h2 id="messages-title" className={cx("font-bold text-2xl", isOpen && "max-lg:sr-only")}>
          {productID ? label : t.title}
        </h2>
        {isOpen && (
          <Link to="/dashboard/messages" className="font-semibold text-brand underline lg:hidden">
            {t.back}
          </Link>
        )}
        {productID && (
          <Link to="/dashboard/messages" className="font-semibold text-brand underline">
            {t.allConversations}
          </Link>
        )}
      </div>
      <div
        className={cx("grid items-start gap-4", !productID && "lg:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]")}
      >
        <div className={cx("grid gap-4", isOpen && "max-lg:hidden")}>
          {view.isLoading && (
            <Loading label={t.loading} onRetry={view.retry}>
              <div className="grid gap-px">
                {["first", "second", "third"].map((key) => (
                  <Skeleton key={key} className="h-22 rounded-lg" />
                ))}
              </div>
            </Loading>
          )}
          {view.error && <ErrorState message={view.error} onRetry={view.retry} busy={view.isFetching} />}
          {view.list && rows.length === 0 && (
            <EmptyState title={productID ? t.emptyOffers : t.empty}>
              {productID ? null : t.emptyHint}
            </EmptyState>
          )}
          {rows.length > 0 && (
            <ThreadList threads={rows} label={label} offers={productID ? offers : undefined} />
          )}
          <NextPage view={view} shown={rows.length} />
        </div>
        {!productID && (
          <div className={cx("min-w-0", !isOpen && "max-lg:hidden")}>
            <Outlet />
          </div>
        )}
      </div>
    </section>
  );
}
