import { expect, test } from "vitest";
import { config } from "@/testing/factories";
import { steps, toBook, toKeep, toPay } from "./promise";

const DAY = 86_400;

test("what is promised is made from the market's deadlines", () => {
  expect(toBook(config)).toBe(
    "Free to book. Pay within an hour. We hold your money until you have the phone.",
  );
  expect(toPay.send(config)).toBe(
    "We hold your money until you have the phone and 3 days to check it. If you tell us nothing, it goes to the " +
      "seller 10 days after it was sent. If it is not sent within 5 days, you get your money back.",
  );
  const other = { ...config, hold: 5400, sendWithin: 2 * DAY, transit: 3 * DAY, settleAfter: DAY };
  expect(toBook(other)).toMatch("Pay within 90 minutes.");
  expect(toKeep(other)).toMatch("and 1 day to check it.");
  expect(toPay.send(other)).toMatch("4 days after it was sent. If it is not sent within 2 days,");
  expect(toPay.meet(other)).toMatch("does not hand it over within 2 days,");
});

test("a market that does not pay its sellers promises nothing about the money that it holds", () => {
  const off = { ...config, payouts: "off" } as const;
  const texts = [toBook(off), toKeep(off), toPay.meet(off), toPay.send(off)];
  for (const { text } of steps(off)) texts.push(text);
  for (const text of texts) expect(text).not.toMatch(/we hold|we pay|goes to the seller/i);
  expect(toPay.send(off)).toBe("If it is not sent within 5 days, you get your money back.");
});
