import { describe, expect, it } from "vitest";
import { appendNew, countOutOfOrder } from "./stableOrder";

describe("appendNew", () => {
  it("keeps the order and appends new keys", () => {
    expect(appendNew(["a", "b"], ["new", "a", "b", "older"])).toEqual(["a", "b", "new", "older"]);
  });

  it("keeps a removed key at its position", () => {
    const shown = ["a", "b", "c"];
    expect(appendNew(shown, ["a", "c"])).toBe(shown);
    expect(appendNew(shown, ["b", "a", "c"])).toBe(shown);
  });
});

describe("countOutOfOrder", () => {
  it("counts the keys that are shown too late, but not those of a further page", () => {
    expect(countOutOfOrder(["a", "b", "new"], ["new", "a", "b"])).toBe(1);
    expect(countOutOfOrder(["a", "b", "older"], ["a", "b", "older"])).toBe(0);
    expect(countOutOfOrder(["a", "b", "older", "n1", "n2"], ["n2", "n1", "a", "b", "older"])).toBe(2);
  });

  it("ignores removed keys", () => {
    expect(countOutOfOrder(["a", "removed", "b"], ["a", "b"])).toBe(0);
  });
});
