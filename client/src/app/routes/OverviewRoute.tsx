import { useEffect, useMemo } from "react";
import { useOutletContext } from "react-router-dom";
import { type ListView, useList } from "@/api/useList";
import type { Known } from "@/app/guards";
import { buyers, reports, sellers } from "@/features/admin/endpoints";
import { AdminOverview } from "@/features/dashboard/AdminOverview";
import { BuyerOverview } from "@/features/dashboard/BuyerOverview";
import { SellerOverview } from "@/features/dashboard/SellerOverview";
import { bookings } from "@/features/orders/endpoints";
import { ownProducts } from "@/features/selling/endpoints";
import type { Entity } from "@/lib/live";

/** The same argument object in every render. */
const ALL = {};

/** /dashboard itself: an overview for each role, from the lists of that role's screens. */
export default function OverviewRoute() {
  const { role, user } = useOutletContext<Known>();
  if (role === "seller") return <Seller email={user.email} />;
  return role === "buyer" ? <Buyer email={user.email} /> : <Admin />;
}

function Seller({ email }: { email: string }) {
  const arg = useMemo(() => ({ email }), [email]);
  return <SellerOverview view={useWhole(useList(ownProducts, arg))} />;
}

function Buyer({ email }: { email: string }) {
  const arg = useMemo(() => ({ email }), [email]);
  return <BuyerOverview view={useWhole(useList(bookings, arg))} />;
}

function Admin() {
  return (
    <AdminOverview
      buyers={useList(buyers, ALL)}
      sellers={useWhole(useList(sellers, ALL))}
      reports={useList(reports, ALL)}
    />
  );
}

/** Loads all pages of a list: a sum needs every row. */
function useWhole<T extends Entity>(view: ListView<T>): ListView<T> {
  const { hasMore, isLoadingMore, moreError, loadMore } = view;
  useEffect(() => {
    if (hasMore && !isLoadingMore && !moreError) loadMore();
  }, [hasMore, isLoadingMore, moreError, loadMore]);
  if (!hasMore) return view;
  // Until then there is nothing to show but a failed page.
  const retry = moreError ? loadMore : view.retry;
  return { ...view, list: undefined, error: moreError, isFetching: isLoadingMore, retry };
}
