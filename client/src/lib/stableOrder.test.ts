import { describe, expect, it } from "vitest";
import { appendNew, countOutOfOrder } from "./stableOrder";

describe("appendNew", () => {
  it("leaves everything in its place and puts what is new at the end", () => {
    expect(appendNew(["a", "b"], ["new", "a", "b", "older"])).toEqual(["a", "b", "new", "older"]);
  });

  it("keeps the place of what has gone, for when it comes back", () => {
    const shown = ["a", "b", "c"];
    expect(appendNew(shown, ["a", "c"])).toBe(shown);
    expect(appendNew(shown, ["b", "a", "c"])).toBe(shown);
  });
});

describe("countOutOfOrder", () => {
  it("counts what newest first would show earlier, not what a further page brought", () => {
    expect(countOutOfOrder(["a", "b", "new"], ["new", "a", "b"])).toBe(1);
    expect(countOutOfOrder(["a", "b", "older"], ["a", "b", "older"])).toBe(0);
    expect(countOutOfOrder(["a", "b", "older", "n1", "n2"], ["n2", "n1", "a", "b", "older"])).toBe(2);
  });

  it("overlooks what has gone", () => {
    expect(countOutOfOrder(["a", "gone", "b"], ["a", "b"])).toBe(0);
  });
});
