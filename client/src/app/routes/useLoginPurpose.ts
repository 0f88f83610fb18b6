import { matchPath } from "react-router-dom";
import { topBrands, useAllBrandsQuery } from "@/features/catalog/endpoints";
import { type LoginOrigin, pendingActionIn } from "@/lib/loginOrigin";
import * as t from "@/texts/loginReasons";

/** What a screen needs an account for; the first that matches. */
const SCREENS: [path: string, purpose: string][] = [
  ["/phone/:id", t.contact],
  ["/dashboard/myOrders", t.orders],
  ["/dashboard/payment/:id", t.pay],
  ["/dashboard/order/:id", t.order],
  ["/dashboard/addProduct", t.addProduct],
  ["/dashboard/myProducts", t.products],
  ["/dashboard/myProducts/:id", t.editPhone],
  ["/dashboard/earnings", t.earnings],
  ["/dashboard/watching", t.watching],
  ["/dashboard/account", t.account],
  ["/dashboard/notifications", t.notifications],
  ["/dashboard/allBuyers", t.buyers],
  ["/dashboard/allSellers", t.sellers],
  ["/dashboard/reportedItems", t.reports],
  ["/dashboard/cases", t.cases],
  ["/dashboard/decisions", t.decisions],
  ["/dashboard/auditTrail", t.auditTrail],
  ["/dashboard/orders", t.allOrders],
  ["/dashboard/*", t.dashboard],
];

/**
 * What a person who comes from there needs an account for; null for nothing in particular, "" while the name of the
 * brand is loading.
 */
export function useLoginPurpose({ from, phone = t.thisPhone }: LoginOrigin): string | null {
  const { pathname, search } = new URL(from, window.location.origin);
  const ofBrand = usePhonesOfBrand(matchPath("/category/:id", pathname)?.params.id);
  const action = pendingActionIn(search);
  if (action)
    return { booking: t.book, wait: t.wait, report: t.report, watch: t.watch }[action.dialog](phone);
  return ofBrand ?? SCREENS.find(([path]) => matchPath(path, pathname))?.[1] ?? null;
}

/** The purpose for a brand's screen, by the brand's _id; null without one. */
function usePhonesOfBrand(id: string | undefined): string | null {
  // Home has loaded these.
  const { data: top } = topBrands.useQueryState();
  const { data: all, isError } = useAllBrandsQuery(undefined, { skip: id === undefined });
  if (id === undefined) return null;
  const brand = [...(top ?? []), ...(all ?? [])].find(({ _id }) => _id === id);
  if (brand) return t.phonesOf(brand.name);
  return all || isError ? t.phonesOfBrand : "";
}
