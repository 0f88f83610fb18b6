import type { Notification } from "@/api/types";

/** Notifications that are shown as one line, newest first. */
export interface Group {
  /** The _id of the oldest: it stays when the group grows. */
  key: string;
  /** The subject of all of them, if they are grouped by subject. */
  subject: string | undefined;
  notifications: [Notification, ...Notification[]];
}

/** The minimum size of a group; fewer notifications are shown one by one. */
export const MIN_GROUP = 4;

/**
 * Groups rows that are in the order of the screen: newest first, and then those that have arrived since, in the order of
 * their arrival. What has arrived together is grouped by itself, so that no shown group changes.
 */
export function groupsInOrder(rows: readonly Notification[]): Group[] {
  const parts: Notification[][] = [];
  for (const row of rows) {
    const part = parts.at(-1);
    const last = part?.at(-1);
    if (part && last && row._id < last._id) part.push(row);
    else parts.push([row]);
  }
  return parts.flatMap(groupsOf);
}

/**
 * Groups neighbours of one kind: each subject that has enough of them, and the others. Those of one subject need not be
 * neighbours, because a new phone may match several saved searches.
 */
export function groupsOf(rows: readonly Notification[]): Group[] {
  const runs: Notification[][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    if (run?.[0]?.kind === row.kind) run.push(row);
    else runs.push([row]);
  }
  return runs.flatMap(groupsOfKind);
}

/** Groups a run of one kind, in the order of the newest of each group. */
function groupsOfKind(run: Notification[]): Group[] {
  const counts = new Map<string, number>();
  for (const { subject = "" } of run) counts.set(subject, (counts.get(subject) ?? 0) + 1);
  const isEnough = ({ subject }: Notification) => subject && (counts.get(subject) ?? 0) >= MIN_GROUP;
  const others = run.filter((row) => !isEnough(row)).length;
  const groups = new Map<string, Group>();
  for (const row of run) {
    const subject = isEnough(row) ? row.subject : undefined;
    const id = subject ? `subject ${subject}` : others >= MIN_GROUP ? "others" : row._id;
    const group = groups.get(id);
    if (group) group.notifications.push(row);
    else groups.set(id, { key: "", subject, notifications: [row] });
  }
  return [...groups.values()].map((group) => ({ ...group, key: group.notifications.at(-1)?._id ?? "" }));
}
