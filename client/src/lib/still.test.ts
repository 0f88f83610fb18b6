import { describe, expect, it } from "vitest";
import { countLate, keepStill } from "./still";

describe("keepStill", () => {
  it("leaves everything in its place and puts what is new at the end", () => {
    expect(keepStill(["a", "b"], ["new", "a", "b", "older"])).toEqual(["a", "b", "new", "older"]);
  });

  it("keeps the place of what has gone, for when it comes back", () => {
    const shown = ["a", "b", "c"];
    expect(keepStill(shown, ["a", "c"])).toBe(shown);
    expect(keepStill(shown, ["b", "a", "c"])).toBe(shown);
  });
});

describe("countLate", () => {
  it("counts what newest first would show earlier, not what a further page brought", () => {
    expect(countLate(["a", "b", "new"], ["new", "a", "b"])).toBe(1);
    expect(countLate(["a", "b", "older"], ["a", "b", "older"])).toBe(0);
    expect(countLate(["a", "b", "older", "n1", "n2"], ["n2", "n1", "a", "b", "older"])).toBe(2);
  });

  it("overlooks what has gone", () => {
    expect(countLate(["a", "gone", "b"], ["a", "b"])).toBe(0);
  });
});
