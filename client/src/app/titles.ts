import * as t from "@/texts/layout";

const titles: Record<string, string> = {
  "/categories": t.allBrands,
  "/search": t.findPhone,
  "/signUp": t.signUp,
  "/login": t.login,
  "/blog": t.blog,
  "/contact": t.contact,
  "/dashboard": t.dashboard,
  "/dashboard/myOrders": t.myOrders,
  "/dashboard/allBuyers": t.allBuyers,
  "/dashboard/allSellers": t.allSellers,
  "/dashboard/reportedItems": t.reportedItems,
  "/dashboard/auditTrail": t.dashboard,
  "/dashboard/account": t.dashboard,
  "/dashboard/addProduct": t.addProduct,
  "/dashboard/myProducts": t.myProducts,
};

/** The titles of screens whose paths end with an id. */
const titlesWithId: Record<string, string> = {
  "/category": t.allProducts,
  "/dashboard/payment": t.payment,
};

/** The title of the document for a path; null for a phone's page, which sets its own. */
export function titleOf(pathname: string): string | null {
  if (/^\/phone\/[^/]+\/?$/.test(pathname)) return null;
  if (pathname === "/") return t.homeTitle;
  const [, prefix, id] = pathname.match(/^(\/category|\/dashboard\/payment)\/([^/]+)\/?$/) ?? [];
  const screen = id ? titlesWithId[prefix ?? ""] : titles[pathname.replace(/\/$/, "")];
  return t.titled(screen ?? t.notFound);
}
