import { expect, it } from "vitest";
import { isForSellers } from "./menus";

it.each([
  ["/dashboard/addProduct", true],
  ["/dashboard/myProducts", true],
  ["/dashboard/myProducts/p1", true],
  ["/dashboard/earnings", true],
  ["/dashboard/myOrders", false],
  ["/dashboard/watching", false],
  ["/dashboard", false],
  ["/", false],
])("isForSellers(%j) is %s", (path, expected) => {
  expect(isForSellers(path)).toBe(expected);
});
