import { isDeepStrictEqual } from "node:util";
import type { Entity, LiveList } from "@/lib/live/types";
import { matches, type SearchableProduct } from "@/lib/productQuery/query";
import { parseQuery } from "@/lib/productQuery/url";
import type { Rule } from "./views";

/** What a window shows of one list, as it was at one moment. */
export interface Shown {
  name: string;
  path: string;
  rule: Rule;
  list: LiveList | undefined;
}

/** What the market says of a list: null where there is none. */
export type Truth = Entity[] | null;

/** How a list is not as the market's. */
export interface Difference {
  list: string;
  path: string;
  what: string;
  shown?: unknown;
  is?: unknown;
}

/** The fields that events of the topic "advertised" never have. */
const CONTACT = ["phone", "email", "location"];

/**
 * Of bookings and people the market counts what only its own work needs to know as a change, too (when it asks
 * the card provider next, how long a cascade is repeated), and tells nobody: a list may be ahead by such versions.
 */
const COUNTS_MORE = /^\/(users|bookings?)\b/;

/** A report's list also says that its phone is removed; an open list learns it from product.removed. */
const REPORTS = /^\/reportedItems\b/;

/** What of an entity a window must show as the market has it. */
function visible(entity: Entity, path: string, isBehind: boolean): Record<string, unknown> {
  const hidden = new Set<string>(path.startsWith("/products/advertised") ? CONTACT : []);
  if (isBehind && COUNTS_MORE.test(path)) hidden.add("version");
  if (isBehind && REPORTS.test(path)) hidden.add("version").add("phoneRemoved");
  return Object.fromEntries(Object.entries(entity).filter(([name]) => !hidden.has(name)));
}

function isAs(shown: Entity, is: Entity, path: string): boolean {
  const isBehind = shown.version < is.version;
  return isDeepStrictEqual(visible(shown, path, isBehind), visible(is, path, isBehind));
}

function entityDiffers(
  { name, path }: Shown,
  shown: Entity | undefined,
  is: Entity | undefined,
): Difference | null {
  if (shown && is && isAs(shown, is, path)) return null;
  const id = (shown ?? is)?._id;
  const what = !is
    ? `${id} is shown and is not there`
    : !shown
      ? `${id} is there and not shown`
      : `${id} is another`;
  return { list: name, path, what, shown, is };
}

/** A list that is held whole, or from its newest entity to its last: the same, in the same order. */
function windowDiffers(shown: Shown, list: LiveList, truth: Entity[]): Difference | null {
  const last = list.nextCursor === null ? undefined : list.ids.at(-1);
  const expected = truth.filter(({ _id }) => last === undefined || _id >= last);
  const byId = new Map(expected.map((entity) => [entity._id, entity]));
  for (const id of new Set([...list.ids, ...byId.keys()])) {
    const difference = entityDiffers(shown, list.entities[id], byId.get(id));
    if (difference) return difference;
  }
  const order = expected.map(({ _id }) => _id);
  const { name, path } = shown;
  if (!isDeepStrictEqual([...list.ids], order))
    return { list: name, path, what: "another order", shown: list.ids, is: order };
  if (last === undefined && list.total !== order.length)
    return { list: name, path, what: "another count", shown: list.total, is: order.length };
  return null;
}

/** A list that was narrowed: what is wanted no longer keeps its place in it, and is not compared. */
function foundDiffers(shown: Shown, list: LiveList, truth: Entity[]): Difference | null {
  const query = list.order?.query ?? parseQuery(shown.path.split("?")[1] ?? "");
  const byId = new Map(truth.map((entity) => [entity._id, entity]));
  for (const entity of Object.values(list.entities)) {
    if (!matches(query, entity as Entity & SearchableProduct)) {
      if (!byId.has(entity._id)) continue;
    }
    const difference = entityDiffers(shown, entity, byId.get(entity._id));
    if (difference) return difference;
  }
  if (list.nextCursor !== null) return null;
  const missing = truth.find(({ _id }) => !(_id in list.entities));
  return missing ? entityDiffers(shown, undefined, missing) : null;
}

/**
 * Whether so much of the market's list, from its beginning on, is all that what is shown can be held against: of a
 * list that has more pages to come, what is loaded; of any other, everything there is.
 */
export function isEnough({ list, rule }: Shown, truth: readonly Entity[]): boolean {
  if (!list) return true;
  if (list.nextCursor === null || list.ids.length === 0) return false;
  if (rule === "find") {
    const found = new Set(truth.map(({ _id }) => _id));
    return list.ids.every((id) => found.has(id));
  }
  const last = list.ids.at(-1) as string;
  return rule === "window" && truth.some(({ _id }) => _id <= last);
}

/** Holds what a window shows against what the market says; null where it is the same. */
export function differs(shown: Shown, truth: Truth): Difference | null {
  const { list, rule, name, path } = shown;
  if (!list) return null; // it said that it has failed, or that there is none
  if (rule === "one") {
    const is = truth?.[0];
    const held = Object.values(list.entities)[0];
    return held || is ? entityDiffers(shown, held, is) : null;
  }
  if (truth === null) return { list: name, path, what: "it is not there" };
  return rule === "window" ? windowDiffers(shown, list, truth) : foundDiffers(shown, list, truth);
}
