import type { Notification } from "@/api/types";

/** Notifications that are shown as one line, newest first. */
export interface Group {
  /** The _id of the oldest: it stays when the group grows. */
  key: string;
  notifications: [Notification, ...Notification[]];
}

/** A group begins with as many of a kind in a row; fewer are a line each. */
export const MIN_GROUP = 4;

/** Puts neighbours of one kind into one group. */
export function groupsOf(rows: readonly Notification[]): Group[] {
  const runs: [Notification, ...Notification[]][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    if (run && run[0].kind === row.kind) run.push(row);
    else runs.push([row]);
  }
  return runs.flatMap((run) => (run.length < MIN_GROUP ? run.map((row) => toGroup([row])) : [toGroup(run)]));
}

const toGroup = (notifications: Group["notifications"]): Group => ({
  key: notifications.at(-1)?._id ?? "",
  notifications,
});
