import { expect, test } from "vitest";
import { aBooking, aProduct, aUser } from "@/testing/factories";
import { buyerStats, sellerStats, unverified } from "./stats";

test("a seller's phones are on sale, held or sold, and only the sold ones have brought money", () => {
  const phones = [
    aProduct({ resalePrice: 100 }),
    aProduct({ resalePrice: 40 }),
    aProduct({ resalePrice: 70, booked: true }),
    aProduct({ resalePrice: 500, booked: true, sold: true }),
  ];
  expect(sellerStats(phones)).toEqual({ onSale: 2, held: 1, sold: 1, asked: 140, taken: 500 });
});

test("a buyer owes what is held, soonest first, and has spent what is paid", () => {
  const orders = [
    aBooking({ price: 30, holdUntil: "2026-11-23T10:00:00Z" }),
    aBooking({ price: 20, holdUntil: "2026-11-22T10:00:00Z" }),
    aBooking({ price: 200, status: "paid", paid: true, holdUntil: "2026-11-20T10:00:00Z" }),
    aBooking({ price: 1000, status: "refunded", paid: true }),
    aBooking({ price: 1000, status: "expired" }),
    aBooking({ price: 1000, status: "cancelled" }),
  ];
  expect(buyerStats(orders)).toEqual({
    toPay: 2,
    owed: 50,
    paid: 1,
    spent: 200,
    soonest: "2026-11-22T10:00:00Z",
  });
  expect(buyerStats([]).soonest).toBeNull();
});

test("a seller without a status is not verified", () => {
  expect(unverified([aUser(), aUser({ status: "verified" }), aUser()])).toBe(2);
});
