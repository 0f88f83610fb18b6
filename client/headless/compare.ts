import { isDeepStrictEqual } from "node:util";
import { isInLoadedRange } from "@/lib/live/normalizedList";
import type { Entity, LiveList } from "@/lib/live/types";
import { EMPTY_QUERY, matches, type SearchableProduct } from "@/lib/productQuery/query";
import { formatQuery, parseQuery } from "@/lib/productQuery/url";
import type { Rule } from "./views";

/** One list as a client showed it at one moment. */
export interface ShownList {
  name: string;
  path: string;
  rule: Rule;
  /** Entities per page, if it is not the endpoint's default. */
  limit?: number | undefined;
  list: LiveList | undefined;
}

/**
 * The path of the server's list to compare with. If no phone has all words of a search, the server lists those with
 * similar words, until a phone has them. A list that was fetched before that is compared with the words that it has.
 */
export function comparedPath(path: string, list: LiveList | undefined): string {
  if (!list?.order) return path;
  const { query } = list.order;
  const params = new URLSearchParams(formatQuery(query));
  params.set("sort", query.sort);
  return `${path.split("?")[0]}?${params}`;
}

/** The server's list; null if there is none, and "unauthorized" if the session of the client has ended. */
export type Expected = Entity[] | null | "unauthorized";

/** A difference between a shown list and the server's. */
export interface Difference {
  list: string;
  path: string;
  problem: string;
  shown?: unknown;
  expected?: unknown;
}

/** The fields that events of the topic "advertised" never have, because visitors may not see them. */
const NOT_FOR_VISITORS = ["phone", "email", "sellerKey", "location", "waiting"];

/**
 * The market also increments the version of bookings and users for internal changes (the next check at the card
 * provider, the end of a cascade), without an event. An entry of a waitlist has the version of its phone, and no event
 * if only the phone has changed. The watched phones and the searches of a user share one version, but not their events.
 * A phone counts its watchers, which only its seller sees: nobody else has an event of that.
 * Only who has read a thread, or blocked the other side, is told of that.
 * The server's version may therefore be higher.
 */
const SILENT_VERSIONS =
  /^\/(users\b|bookings?\b|waitlist\b|watching\b|watches\b|products\/|categories\/|threads\b)/;

/** A list of reports also says that a phone was removed; an open list gets this from the event product.removed. */
const REPORTS = /^\/reportedItems\b/;

/** A buyer's list keeps the address that the response for one booking brought; the server's lists never have it. */
const BOOKINGS = /^\/bookings\b/;

const CONVERSATIONS = /^\/threads\b/;

/**
 * What a screen shows of a thread or a message as the server's list has it. The offer is read from the list of offers,
 * and whether the phone is booked from the phone itself.
 */
function ofConversation({ offer: _, product, ...shown }: Record<string, unknown>): Record<string, unknown> {
  if (!product) return shown;
  const { _id, name, img, resalePrice, sold, removed } = product as Record<string, unknown>;
  return { ...shown, product: { _id, name, img, resalePrice, sold, removed } };
}

/** The fields that a client must show as the server has them. */
function comparableFields(entity: Entity, path: string, isBehind: boolean): Record<string, unknown> {
  const hidden = new Set<string>(path.startsWith("/products/advertised") ? NOT_FOR_VISITORS : []);
  if (isBehind && SILENT_VERSIONS.test(path)) hidden.add("version");
  if (isBehind && REPORTS.test(path)) hidden.add("version").add("phoneRemoved");
  if (BOOKINGS.test(path)) hidden.add("address");
  const fields = Object.fromEntries(Object.entries(entity).filter(([name]) => !hidden.has(name)));
  return CONVERSATIONS.test(path) ? ofConversation(fields) : fields;
}

function isEqual(shown: Entity, expected: Entity, path: string): boolean {
  const isBehind = shown.version < expected.version;
  return isDeepStrictEqual(
    comparableFields(shown, path, isBehind),
    comparableFields(expected, path, isBehind),
  );
}

function compareEntity(
  { name, path }: ShownList,
  shown: Entity | undefined,
  expected: Entity | undefined,
): Difference | null {
  if (shown && expected && isEqual(shown, expected, path)) return null;
  const id = (shown ?? expected)?._id;
  const problem = !expected
    ? `${id} is shown but does not exist`
    : !shown
      ? `${id} exists but is not shown`
      : `${id} differs`;
  return { list: name, path, problem, shown, expected };
}

/** Compares a list that is loaded completely, or from its newest entity to its last one: same entities, same order. */
function compareOrdered(shown: ShownList, list: LiveList, all: Entity[]): Difference | null {
  const last = list.nextCursor === null ? undefined : list.ids.at(-1);
  const expected = all.filter(({ _id }) => last === undefined || _id >= last);
  const byId = new Map(expected.map((entity) => [entity._id, entity]));
  for (const id of new Set([...list.ids, ...byId.keys()])) {
    const difference = compareEntity(shown, list.entities[id], byId.get(id));
    if (difference) return difference;
  }
  const order = expected.map(({ _id }) => _id);
  const { name, path } = shown;
  if (!isDeepStrictEqual([...list.ids], order))
    return { list: name, path, problem: "different order", shown: list.ids, expected: order };
  if (last === undefined && list.total !== order.length)
    return { list: name, path, problem: "different total", shown: list.total, expected: order.length };
  return null;
}

/**
 * Compares a list that the server sorts by what changes, but the client by ids. If it is loaded in part, it has the
 * server's first page, and of the later ones those that have changed since.
 */
function compareSorted(shown: ShownList, list: LiveList, serverList: Entity[]): Difference | null {
  if (list.nextCursor === null)
    return compareOrdered(
      shown,
      list,
      serverList.toSorted((a, b) => (a._id < b._id ? 1 : -1)),
    );
  const byId = new Map(serverList.map((entity) => [entity._id, entity]));
  const firstPage = serverList.slice(0, shown.limit).map(({ _id }) => _id);
  for (const id of new Set([...list.ids, ...firstPage])) {
    const difference = compareEntity(shown, list.entities[id], byId.get(id));
    if (difference) return difference;
  }
  return null;
}

/**
 * Compares a list of phones. Phones that changed stay in their place until the list is fetched again, also if they no
 * longer match. So the order is not compared, and phones that no longer match are not either.
 */
function comparePhones(shown: ShownList, list: LiveList, expected: Entity[]): Difference | null {
  const { name, path } = shown;
  const query = list.order?.query ?? parseQuery(path.split("?")[1] ?? "");
  const byId = new Map(expected.map((entity) => [entity._id, entity]));
  for (const entity of Object.values(list.entities)) {
    if (!matches(query, entity as Entity & SearchableProduct) && !byId.has(entity._id)) continue;
    const difference = compareEntity(shown, entity, byId.get(entity._id));
    if (difference) return difference;
  }
  const missing = expected.find((entity) => !(entity._id in list.entities) && isInLoadedRange(list, entity));
  if (missing) return compareEntity(shown, undefined, missing);
  const hasFilters = !isDeepStrictEqual({ ...query, sort: EMPTY_QUERY.sort }, EMPTY_QUERY);
  if (list.nextCursor === null && !hasFilters && list.total !== expected.length)
    return { list: name, path, problem: "different total", shown: list.total, expected: expected.length };
  return null;
}

/**
 * Whether these first entities of the server's list are enough for the comparison: as many as are loaded if the shown
 * list has further pages, otherwise all.
 */
export function coversShownList({ list, rule }: ShownList, expected: readonly Entity[]): boolean {
  if (!list) return true;
  if (list.nextCursor === null || list.ids.length === 0) return false;
  if (rule === "phones") {
    const found = new Set(expected.map(({ _id }) => _id));
    const last = expected.at(-1);
    return last !== undefined && !isInLoadedRange(list, last) && list.ids.every((id) => found.has(id));
  }
  const last = list.ids.at(-1) as string;
  return rule === "ordered" && expected.some(({ _id }) => _id <= last);
}

/**
 * Whether the entity is stored. The entity of a user who watches no phones has no id until it is stored, and the first
 * saved search stores it without an event.
 */
const isStored = ({ _id, phones }: Entity & { phones?: unknown[] }) =>
  _id !== undefined && phones?.length !== 0;

/** Compares a shown list with the server's; null if they are equal. */
export function compareList(shown: ShownList, serverList: Expected): Difference | null {
  const { list, rule, name, path } = shown;
  if (!list) return null; // the request failed, or there is none
  if (serverList === "unauthorized")
    return { list: name, path, problem: "is shown after the end of the session" };
  if (rule === "entity") {
    const expected = serverList?.find(isStored);
    const entity = Object.values(list.entities).find(isStored);
    return entity || expected ? compareEntity(shown, entity, expected) : null;
  }
  if (serverList === null) return { list: name, path, problem: "does not exist" };
  if (rule === "sorted") return compareSorted(shown, list, serverList);
  return rule === "ordered"
    ? compareOrdered(shown, list, serverList)
    : comparePhones(shown, list, serverList);
}
