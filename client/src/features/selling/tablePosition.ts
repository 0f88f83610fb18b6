import type { Product } from "@/api/types";
import * as t from "@/texts/selling";

/** The filters by status, and the sort orders. */
export type StatusFilter = keyof typeof t.statusFilters;
export type Sort = keyof typeof t.sortOrders;
export const STATUS_FILTERS = Object.keys(t.statusFilters) as StatusFilter[];
export const SORT_ORDERS = Object.keys(t.sortOrders) as Sort[];

const statusOf = ({ booked, sold, refunded }: Product): StatusFilter => {
  if (refunded) return "refunded";
  if (sold) return "sold";
  return booked ? "held" : "available";
};

/** The table that contains a phone (null for none), and the phone's sort key. */
interface TablePosition {
  table: "sold" | "unsold" | null;
  key: number | string;
}

export function tablePosition(phone: Product, filter: StatusFilter, sort: Sort): TablePosition {
  const status = statusOf(phone);
  const table = status === "sold" || status === "refunded" ? "sold" : "unsold";
  return { table: filter === "all" || filter === status ? table : null, key: SORT_KEYS[sort](phone) };
}

const SORT_KEYS: Record<Sort, (phone: Product) => TablePosition["key"]> = {
  newest: () => 0, // keeps the order of the server's list
  "price-up": ({ resalePrice }) => resalePrice,
  "price-down": ({ resalePrice }) => -resalePrice,
  name: ({ name }) => name,
};

const nameCollator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** A compare function for sort(): the lower key is first. */
export function comparePositions(a: TablePosition, b: TablePosition): number {
  if (typeof a.key === "number") return a.key - Number(b.key);
  return nameCollator.compare(a.key, String(b.key));
}
