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

it("puts those of one subject into one group, though they alternate with others", () => {
  const rows = Array.from({ length: MIN_GROUP }, () => [
    aNotification({ kind: "match", subject: "pixel" }),
    aNotification({ kind: "match", subject: "under 200" }),
  ]).flat();
  const few = several(MIN_GROUP - 1, { kind: "match", subject: "nokia" });
  const groups = groupsOf([...rows, ...few]);
  expect(groups.map(({ subject }) => subject)).toEqual(["pixel", "under 200", ...few.map(() => undefined)]);
  expect(groups.map(({ notifications }) => notifications.length)).toEqual([MIN_GROUP, MIN_GROUP, 1, 1, 1]);
});

it("puts subjects that have too few for a group of their own into one without a subject", () => {
  const rows = ["a", "a", "b", "b"].map((subject) => aNotification({ kind: "match", subject }));
  expect(groupsOf(rows)).toEqual([{ key: rows[3]?._id, subject: undefined, notifications: rows }]);
});

it("gives a group a key that stays when it grows", () => {
  const rows = several(5).toReversed();
  const before = groupsOf(rows)[0]?.key;
  expect(groupsOf([aNotification(), ...rows])[0]?.key).toBe(before);
});
