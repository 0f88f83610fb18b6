import { describe, expect, it } from "vitest";
import { timeLeft } from "./timeLeft";

describe("the time left", () => {
  const until = "2026-11-21T12:00:00Z";
  const at = (time: string) => timeLeft(until, Date.parse(`2026-11-21T${time}Z`));

  it("is formatted in days from two days on", () => {
    const on = (time: string) => timeLeft(until, Date.parse(time));
    expect(on("2026-11-16T12:01:00Z")).toBe("5 days");
    expect(on("2026-11-17T13:00:00Z")).toBe("4 days");
    expect(on("2026-11-19T12:00:00Z")).toBe("2 days");
    expect(on("2026-11-19T12:01:00Z")).toBe("47 h 59 min");
  });

  it("is formatted in hours and minutes, minutes, or seconds, and is null at the end", () => {
    expect(at("08:30:00")).toBe("3 h 30 min");
    expect(at("11:15:10")).toBe("44 min");
    expect(at("11:59:15")).toBe("45 s");
    expect(at("12:00:00")).toBeNull();
  });
});
