import type { Role } from "@/api/types";
import * as t from "@/texts/dashboard";

/** An entry of a menu. */
export interface MenuEntry {
  /** A path. */
  to: string;
  label: string;
  /** The entry is also marked on paths that begin with this. */
  activePrefix?: string;
}

/** Everybody watches phones. */
const WATCHING: MenuEntry = { to: "/dashboard/watching", label: t.watching };

/** The screens of each role (spec section 2), as the side menu and the menu of the account list them. */
export const MENUS: Record<Role, MenuEntry[]> = {
  buyer: [{ to: "/dashboard/myOrders", label: t.myOrders, activePrefix: "/dashboard/payment/" }, WATCHING],
  seller: [
    { to: "/dashboard/addProduct", label: t.addProduct },
    { to: "/dashboard/myProducts", label: t.myProducts },
    WATCHING,
  ],
  admin: [
    { to: "/dashboard/allBuyers", label: t.allBuyers },
    { to: "/dashboard/allSellers", label: t.allSellers },
    { to: "/dashboard/reportedItems", label: t.reportedItems },
    { to: "/dashboard/auditTrail", label: t.auditTrail },
    WATCHING,
  ],
};
