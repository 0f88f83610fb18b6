import { expect, test } from "vitest";
import { loginOriginOf, pendingActionIn, withoutPendingAction, withPendingAction } from "./loginOrigin";

test.each([
  [{ from: "/category/5?x=1" }, "/category/5?x=1"],
  [{ from: "//evil.example" }, "/"],
  [{ from: "/\\evil.example" }, "/"],
  [{ from: "/\t/evil.example" }, "/"],
  [{ from: "https://evil.example" }, "/"],
  [{ from: 7 }, "/"],
  [null, "/"],
])("after the login the state %j leads to %s", (state, path) => {
  expect(loginOriginOf({ state, search: "" })).toEqual({ from: path });
});

test.each([
  ["?error=google_denied&returnTo=%2Fphone%2F7%3Fbook%3D7", "/phone/7?book=7"],
  ["?returnTo=%2F%2Fevil.example", "/"],
  ["?returnTo=%2F%09%2Fevil.example", "/"],
  ["?returnTo=javascript%3Aalert(1)", "/"],
])("after a failed Google sign-in the query %s leads to %s", (search, path) => {
  expect(loginOriginOf({ state: null, search })).toEqual({ from: path });
});

test("the login origin keeps the name of a phone, which must be a text", () => {
  const origin = { from: "/phone/1?book=1", phone: "iPhone 6" };
  expect(loginOriginOf({ state: origin, search: "" })).toEqual(origin);
  expect(loginOriginOf({ state: { ...origin, phone: {} }, search: "" })).toEqual({ from: origin.from });
});

test("a pending action is added to a query, read from it and removed from it", () => {
  const search = withPendingAction("?q=red+fox", { dialog: "booking", phone: "12" });
  expect(search).toBe("?q=red+fox&book=12");
  expect(pendingActionIn(search)).toEqual({ dialog: "booking", phone: "12" });
  expect(withoutPendingAction(search)).toBe("?q=red+fox");
});

test("a query has at most one pending action, and an empty parameter is none", () => {
  expect(withPendingAction("?book=12", { dialog: "report", phone: "34" })).toBe("?report=34");
  expect(pendingActionIn("?q=book&book=")).toBeNull();
  expect(withoutPendingAction("?book=12")).toBe("");
});
