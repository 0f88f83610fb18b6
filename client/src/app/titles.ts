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

/** The document's title for a path. */
export function titleOf(pathname: string): string {
  if (pathname === "/") return "SecondRing: Sell and Buy Used Phones";
  const screen = pathname.startsWith("/category/") ? "All Products" : titles[pathname.replace(/\/$/, "")];
  return `${screen ?? "Not found"} · SecondRing`;
}
