import type { Booking, Product, User } from "@/api/types";

/** The numbers of a seller's phones by status; money in whole US dollars. */
interface SellerStats {
  onSale: number;
  held: number;
  sold: number;
  /** The sum of the prices of the phones on sale. */
  askingTotal: number;
  /** The sum of the prices of the sold phones. */
  sales: number;
}

/** Counts a seller's phones. Sold means paid; a booked one that is not paid yet is held. A refunded one is no sale. */
export function sellerStats(phones: readonly Product[]): SellerStats {
  const stats = { onSale: 0, held: 0, sold: 0, askingTotal: 0, sales: 0 };
  for (const { booked, sold, refunded, resalePrice } of phones) {
    if (refunded) continue;
    if (sold) {
      stats.sold += 1;
      stats.sales += resalePrice;
    } else if (booked) stats.held += 1;
    else {
      stats.onSale += 1;
      stats.askingTotal += resalePrice;
    }
  }
  return stats;
}

/** The numbers of a buyer's orders by status; money in whole US dollars. */
interface BuyerStats {
  toPay: number;
  amountDue: number;
  paid: number;
  spent: number;
  /** When the first hold expires (RFC 3339); null without an unpaid order. */
  nextDeadline: string | null;
}

export const isOpen = ({ status }: Booking): boolean => status === "held";

/** Counts a buyer's orders; refunded, cancelled and expired ones are not counted. */
export function buyerStats(orders: readonly Booking[]): BuyerStats {
  const open = orders.filter(isOpen);
  const paid = orders.filter((order) => order.status === "paid");
  const sumOf = (bookings: readonly Booking[]) => bookings.reduce((sum, { total }) => sum + total, 0);
  const deadlines = open.map(({ holdUntil }) => holdUntil).sort((a, b) => Date.parse(a) - Date.parse(b));
  return {
    toPay: open.length,
    amountDue: sumOf(open),
    paid: paid.length,
    spent: sumOf(paid),
    nextDeadline: deadlines[0] ?? null,
  };
}

/** The number of sellers that are not verified. */
export function countUnverified(sellers: readonly User[]): number {
  return sellers.filter(({ status }) => status !== "verified").length;
}
