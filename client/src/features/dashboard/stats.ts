import type { Booking, Product, User } from "@/api/types";

/** A seller's phones, counted by how they stand; money in whole US dollars. */
export interface SellerStats {
  onSale: number;
  held: number;
  sold: number;
  /** What the phones on sale would bring. */
  asked: number;
  /** What the sold ones have brought. */
  taken: number;
}

/** Counts a seller's phones. Sold means paid; a booked one that is not paid yet is held. */
export function sellerStats(phones: readonly Product[]): SellerStats {
  const figures = { onSale: 0, held: 0, sold: 0, asked: 0, taken: 0 };
  for (const { booked, sold, resalePrice } of phones) {
    if (sold) {
      figures.sold += 1;
      figures.taken += resalePrice;
    } else if (booked) figures.held += 1;
    else {
      figures.onSale += 1;
      figures.asked += resalePrice;
    }
  }
  return figures;
}

/** A buyer's orders, counted by how they stand; money in whole US dollars. */
export interface BuyerStats {
  toPay: number;
  owed: number;
  paid: number;
  spent: number;
  /** When the first of the unpaid ones lapses (RFC 3339); null without any. */
  soonest: string | null;
}

export const isOpen = ({ status, paid }: Booking): boolean => status === "held" && !paid;

/** Counts a buyer's orders; what was refunded, cancelled or let go counts for nothing. */
export function buyerStats(orders: readonly Booking[]): BuyerStats {
  const open = orders.filter(isOpen);
  const paid = orders.filter((order) => order.status === "paid");
  const sum = (some: readonly Booking[]) => some.reduce((all, { price }) => all + price, 0);
  const ends = open.map(({ holdUntil }) => holdUntil).sort((a, b) => Date.parse(a) - Date.parse(b));
  return {
    toPay: open.length,
    owed: sum(open),
    paid: paid.length,
    spent: sum(paid),
    soonest: ends[0] ?? null,
  };
}

/** How many sellers no admin has verified. */
export function unverified(sellers: readonly User[]): number {
  return sellers.filter(({ status }) => status !== "verified").length;
}
