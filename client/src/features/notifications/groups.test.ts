import { expect, it } from "vitest";
import { aNotification } from "@/testing/factories";
import { groupsOf, MIN_GROUP } from "./groups";

const several = (count: number, overrides = {}) =>
  Array.from({ length: count }, () => aNotification(overrides));
const sizes = (rows: Parameters<typeof groupsOf>[0]) =>
  groupsOf(rows).map(({ notifications }) => notifications.length);

it("puts neighbours of a kind into one group, and leaves a few of a kind as they are", () => {
  const rows = [
    ...several(20, { kind: "match" }),
    ...several(MIN_GROUP - 1),
    ...several(MIN_GROUP, { kind: "paid" }),
  ];
  expect(sizes(rows)).toEqual([20, 1, 1, 1, MIN_GROUP]);
});

it("gives a group a key that stays when it grows", () => {
  const rows = several(5).toReversed();
  const before = groupsOf(rows)[0]?.key;
  expect(groupsOf([aNotification(), ...rows])[0]?.key).toBe(before);
});
