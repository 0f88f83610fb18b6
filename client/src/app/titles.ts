import { homeTitle, titled } from "@/texts/layout";
import * as t from "@/texts/screenNames";

const titles: Record<string, string> = {
  "/categories": t.allBrands,
  "/search": t.findPhone,
  "/signUp": t.signUp,
  "/login": t.login,
  "/forgot": t.forgotPassword,
  "/reset": t.resetPassword,
  "/verify": t.confirmEmail,
  "/setup": t.setup,
  "/appeal": t.appeal,
  "/secondFactor": t.secondFactor,
  "/blog": t.blog,
  "/contact": t.contact,
  "/dashboard": t.dashboard,
  "/dashboard/myOrders": t.myOrders,
  "/dashboard/allBuyers": t.allBuyers,
  "/dashboard/allSellers": t.allSellers,
  "/dashboard/reportedItems": t.reportedItems,
  "/dashboard/cases": t.cases,
  "/dashboard/decisions": t.decisions,
  "/dashboard/auditTrail": t.auditTrail,
  "/dashboard/orders": t.orders,
  "/dashboard/account": t.account,
  "/dashboard/watching": t.watching,
  "/dashboard/notifications": t.notifications,
  "/dashboard/messages": t.messages,
  "/dashboard/addProduct": t.addProduct,
  "/dashboard/myProducts": t.myProducts,
  "/dashboard/earnings": t.earnings,
};

/** The titles of screens whose paths end with an id. They set a title with the name by useTitle. */
const titlesWithId: Record<string, string> = {
  "/category": t.allProducts,
  "/phone": t.phone,
  "/dashboard/payment": t.payment,
  "/dashboard/order": t.order,
  "/dashboard/person": t.person,
  "/dashboard/cases": t.case_,
  "/dashboard/messages": t.messages,
  "/dashboard/myProducts": t.editPhone,
};

/** The path as the router compares it: without slashes too many, and in small letters. */
const comparable = (path: string) => `/${path.split("/").filter(Boolean).join("/")}`.toLowerCase();

const titleByPath = new Map(Object.entries(titles).map(([path, title]) => [comparable(path), title]));
const titleByParent = new Map(Object.entries(titlesWithId).map(([path, title]) => [comparable(path), title]));

/** The title of the document for a path. */
export function titleOf(pathname: string): string {
  const path = comparable(pathname);
  if (path === "/") return homeTitle;
  return titled(titleByPath.get(path) ?? titleByParent.get(path.replace(/\/[^/]*$/, "")) ?? t.notFound);
}
