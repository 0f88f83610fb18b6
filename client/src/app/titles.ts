const titles: Record<string, string> = {
  "/categories": "All Smartphone Brands",
  "/signUp": "Sign Up",
  "/login": "Login",
  "/blog": "Blog",
  "/contact": "Contact Us",
  "/dashboard": "Dashboard",
  "/dashboard/myOrders": "My Orders",
  "/dashboard/allBuyers": "All Buyers",
  "/dashboard/allSellers": "All Sellers",
  "/dashboard/reportedItems": "Reported Items",
  "/dashboard/addProduct": "Add A Product",
  "/dashboard/myProducts": "My Products",
};

/** Screens of one thing: their paths end with its id. */
const ofOne: Record<string, string> = {
  "/category": "All Products",
  "/dashboard/payment": "Payment",
};

/** The document's title for a path; null for a phone's own page, which is titled by its phone. */
export function titleOf(pathname: string): string | null {
  if (/^\/phone\/[^/]+\/?$/.test(pathname)) return null;
  if (pathname === "/") return "SecondRing: Sell and Buy Used Phones";
  const [, fixed, last] = pathname.match(/^(\/category|\/dashboard\/payment)\/([^/]+)\/?$/) ?? [];
  const screen = last ? ofOne[fixed ?? ""] : titles[pathname.replace(/\/$/, "")];
  return `${screen ?? "Not found"} · SecondRing`;
}
