import { expect, it } from "vitest";
import { aNotification } from "@/testing/factories";
import { groupsInOrder, groupsOf, MIN_GROUP } from "./groups";

const notifications = (count: number, overrides = {}) =>
  Array.from({ length: count }, () => aNotification(overrides));
const sizes = (rows: Parameters<typeof groupsOf>[0]) =>
  groupsOf(rows).map(({ notifications }) => notifications.length);

it("groups many successive notifications of a kind, and does not group a few of a kind", () => {
  const rows = [
    ...notifications(20, { kind: "match" }),
    ...notifications(MIN_GROUP - 1),
    ...notifications(MIN_GROUP, { kind: "paid" }),
  ];
  expect(sizes(rows)).toEqual([20, 1, 1, 1, MIN_GROUP]);
});

it("groups notifications of the same subject, also if they alternate with others", () => {
  const rows = Array.from({ length: MIN_GROUP }, () => [
    aNotification({ kind: "match", subject: "pixel" }),
    aNotification({ kind: "match", subject: "under 200" }),
  ]).flat();
  const few = notifications(MIN_GROUP - 1, { kind: "match", subject: "nokia" });
  const groups = groupsOf([...rows, ...few]);
  expect(groups.map(({ subject }) => subject)).toEqual(["pixel", "under 200", ...few.map(() => undefined)]);
  expect(groups.map(({ notifications }) => notifications.length)).toEqual([MIN_GROUP, MIN_GROUP, 1, 1, 1]);
});

it("groups the notifications of subjects with too few for a group of their own without a subject", () => {
  const rows = ["a", "a", "b", "b"].map((subject) => aNotification({ kind: "match", subject }));
  expect(groupsOf(rows)).toEqual([{ key: rows[3]?._id, subject: undefined, notifications: rows }]);
});

it("keeps the key of a group that grows", () => {
  const rows = notifications(5).toReversed();
  const before = groupsOf(rows)[0]?.key;
  expect(groupsOf([aNotification(), ...rows])[0]?.key).toBe(before);
});

it("groups what arrives later by itself, and what has arrived together with it", () => {
  const rows = notifications(3).toReversed();
  const one = aNotification();
  const together = notifications(MIN_GROUP).toReversed();
  const groups = groupsInOrder([...rows, one, ...together]);
  expect(groups.map(({ notifications }) => notifications.length)).toEqual([1, 1, 1, 1, MIN_GROUP]);
});

it("lets a group grow by the next page", () => {
  const [last, ...rows] = notifications(5);
  const page = rows.toReversed();
  expect(groupsInOrder([...page, last!])[0]?.notifications).toHaveLength(5);
});
