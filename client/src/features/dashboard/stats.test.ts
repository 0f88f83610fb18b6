import { expect, test } from "vitest";
import { aBooking, aProduct, aUser } from "@/testing/factories";
import { buyerStats, countUnverified, sellerStats } from "./stats";

test("the seller's phones are counted as on sale, held or sold, and only the sold ones as earnings", () => {
  const phones = [
    aProduct({ resalePrice: 100 }),
    aProduct({ resalePrice: 40 }),
    aProduct({ resalePrice: 70, booked: true }),
    aProduct({ resalePrice: 500, booked: true, sold: true }),
    aProduct({ resalePrice: 900, booked: true, sold: true, refunded: true }),
  ];
  expect(sellerStats(phones)).toEqual({ onSale: 2, held: 1, sold: 1, askingTotal: 140, sales: 500 });
});

test("the buyer's amount due is that of the held orders, and the amount spent that of the paid ones", () => {
  const orders = [
    aBooking({ price: 25, postage: 5, holdUntil: "2026-11-23T10:00:00Z" }),
    aBooking({ price: 20, holdUntil: "2026-11-22T10:00:00Z" }),
    aBooking({ price: 200, status: "paid", paid: true, holdUntil: "2026-11-20T10:00:00Z" }),
    aBooking({ price: 1000, status: "refunded", paid: true }),
    aBooking({ price: 1000, status: "expired" }),
    aBooking({ price: 1000, status: "cancelled" }),
  ];
  expect(buyerStats(orders)).toEqual({
    toPay: 2,
    amountDue: 50,
    paid: 1,
    spent: 200,
    nextDeadline: "2026-11-22T10:00:00Z",
  });
  expect(buyerStats([]).nextDeadline).toBeNull();
});

test("a seller without a status is counted as not verified", () => {
  expect(countUnverified([aUser(), aUser({ status: "verified" }), aUser()])).toBe(2);
});
