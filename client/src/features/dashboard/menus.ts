import { matchPath } from "react-router-dom";
import type { Role } from "@/api/types";
import { ADD_PRODUCT } from "@/lib/loginOrigin";
import * as t from "@/texts/screenNames";
import { startSelling } from "@/texts/sell";

/** An entry of a menu. */
interface MenuEntry {
  /** A path. */
  to: string;
  label: string;
  /** The entry is also marked on these paths. */
  alsoOn?: RegExp;
}

/** The screens that only sellers may see. */
const SELLING: MenuEntry[] = [
  { to: ADD_PRODUCT, label: t.addProduct },
  { to: "/dashboard/myProducts", label: t.myProducts },
  { to: "/dashboard/earnings", label: t.earnings },
];

const MESSAGES: MenuEntry = { to: "/dashboard/messages", label: t.messages };

const ORDERS: MenuEntry = { to: "/dashboard/orders", label: t.orders, alsoOn: /^\/dashboard\/order\// };

/** The screens of each role, as the side menu and the menu of the account list them. */
const MENUS: Record<Role, MenuEntry[]> = {
  buyer: [
    { to: "/dashboard/myOrders", label: t.myOrders, alsoOn: /^\/dashboard\/(payment|order)\// },
    MESSAGES,
    { to: ADD_PRODUCT, label: startSelling },
  ],
  seller: [
    ...SELLING,
    MESSAGES,
    // The page of an order marks neither My Products nor My Orders: a seller may have sold or bought it.
    { to: "/dashboard/myOrders", label: t.myOrders, alsoOn: /^\/dashboard\/payment\// },
  ],
  // In the order of use.
  admin: [
    ORDERS,
    { to: "/dashboard/cases", label: t.cases },
    { to: "/dashboard/reportedItems", label: t.reportedItems },
    { to: "/dashboard/allSellers", label: t.allSellers, alsoOn: /^\/dashboard\/person\// },
    { to: "/dashboard/allBuyers", label: t.allBuyers },
    { to: "/dashboard/auditTrail", label: t.auditTrail },
  ],
};

/** The menu of a role; that of a moderator has no orders. */
export const menuOf = (role: Role, isModerator: boolean) =>
  MENUS[role].filter((entry) => !isModerator || entry !== ORDERS);

/** The screens of every role, beside the dashboard's heading and in the menu of the account. */
export const COMMON_MENU: MenuEntry[] = [
  { to: "/dashboard/watching", label: t.watching },
  { to: "/dashboard/account", label: t.account },
];

/** Whether only sellers may see the screen with this path. */
export const isForSellers = (path: string) =>
  SELLING.some(({ to }) => matchPath({ path: to, end: false }, path) !== null);
