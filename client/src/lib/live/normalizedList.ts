import {
  before,
  type Findable,
  matches,
  type Query,
  type SortKey,
  sortKeyOf,
} from "@/lib/productQuery/query";
import { LIST_RULES } from "./listRules";
import type { Entity, ListKind, LiveList } from "./types";

/** What is known of a list besides its items: from the response's headers and from the request. */
export interface ListMeta {
  kind: ListKind;
  total: number | null;
  nextCursor: string | null;
  topic: string | null;
  position: string | null;
  /** When the request was sent: milliseconds on this machine's clock. */
  startedAt: number;
  /** The filters and the order, unless it is everything, newest first. */
  query?: Query;
}

/** The entity's sort key; lists with an order contain phones only. */
const place = (query: Query, entity: Entity): SortKey => sortKeyOf(query, entity as Entity & Findable);

/** Whether an entity, as it is now, belongs to the list. */
export function wanted(list: LiveList, entity: Entity): boolean {
  if (!LIST_RULES[list.kind].keeps(entity)) return false;
  return !list.order || matches(list.order.query, entity as Entity & Findable);
}

/** Makes a list of one page's entities, without those that do not belong to it by their own fields. */
export function listOf<T extends Entity>(items: readonly T[], meta: ListMeta): LiveList<T> {
  const entities: Record<string, T> = {};
  for (const item of items) {
    if (LIST_RULES[meta.kind].keeps(item)) entities[item._id] = item;
  }
  const { query } = meta;
  const last = items.at(-1);
  const ids = query ? Object.keys(entities) : sorted(Object.keys(entities));
  const order = query && { query, edge: last ? place(query, last) : null };
  return {
    ...(order && { order }),
    kind: meta.kind,
    ids,
    entities,
    total: totalOf({ ids, nextCursor: meta.nextCursor, order }, meta.total ?? items.length),
    nextCursor: meta.nextCursor,
    topic: meta.topic,
    position: meta.position,
    startedAt: meta.startedAt,
  };
}

/**
 * The total of a list, from the server's count. A list that is loaded to its end counts its own ids: the server
 * counted with the last page, so changes since the first page would count twice. That is not so for a list with an
 * order, which keeps entities that no longer match.
 */
function totalOf(
  { ids, nextCursor, order }: Pick<LiveList, "ids" | "nextCursor" | "order">,
  counted: number,
) {
  return nextCursor === null && !order ? ids.length : Math.max(ids.length, counted);
}

/** Newest first; ids begin with the time they were made. */
function sorted(ids: string[]): string[] {
  return ids.sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
}

/** The newer of two copies; the current one if they are equal, so that its card does not render again. */
function newer<T extends Entity>(held: T | undefined, coming: T): T {
  return held && held.version >= coming.version ? held : coming;
}

/** The list with a further page appended. */
export function appendPage<T extends Entity>(held: LiveList<T>, page: LiveList<T>): LiveList<T> {
  const entities = { ...held.entities };
  for (const id of page.ids) entities[id] = newer(held.entities[id], page.entities[id] as T);
  const fresh = page.ids.filter((id) => !(id in held.entities));
  const ids = held.order ? [...held.ids, ...fresh] : sorted(Object.keys(entities));
  const joined = { ...held, ...(page.order && { order: page.order }), ids, nextCursor: page.nextCursor };
  return { ...joined, entities, total: totalOf(joined, page.total) };
}

/**
 * A refetched list in place of the current one. An entity that is newer in the current list stays: an event
 * overtook the response.
 */
export function replaceList<T extends Entity>(held: LiveList<T>, coming: LiveList<T>): LiveList<T> {
  const entities: Record<string, T> = {};
  for (const id of coming.ids) entities[id] = newer(held.entities[id], coming.entities[id] as T);
  return { ...coming, entities };
}

/** Whether the list, as far as it is loaded, would show this entity. */
export function admitted(list: LiveList, entity: Entity): boolean {
  if (list.only !== undefined) return entity._id === list.only;
  if (list.nextCursor === null) return true;
  if (list.order) {
    const { query, edge } = list.order;
    return edge === null || before(place(query, entity), edge) < 0;
  }
  const last = list.ids.at(-1);
  return last === undefined || entity._id > last;
}

/** The ids with the new ones inserted, each before the first that sorts after it; the others keep their places. */
function inserted<T extends Entity>(
  { query }: { query: Query },
  ids: string[],
  fresh: string[],
  entities: Record<string, T>,
): string[] {
  const placed = ids.map((id) => place(query, entities[id] as T));
  for (const id of fresh) {
    const own = place(query, entities[id] as T);
    const at = placed.findIndex((other) => before(own, other) < 0);
    placed.splice(at < 0 ? placed.length : at, 0, own);
  }
  return placed.map(({ id }) => id);
}

/** Adds or replaces entities and removes others in one copy. Returns the same list when nothing changes. */
export function changeList<T extends Entity>(
  list: LiveList<T>,
  put: ReadonlyMap<string, T>,
  out: ReadonlySet<string>,
): LiveList<T> {
  const gone = new Set([...out].filter((id) => id in list.entities));
  const fresh = [...put.keys()].filter((id) => !(id in list.entities));
  if (gone.size === 0 && put.size === 0) return list;
  const entities = { ...list.entities };
  for (const id of gone) delete entities[id];
  for (const [id, entity] of put) entities[id] = entity;
  // The ids keep their reference while no entity is added or removed: the grid selects them.
  let ids = list.ids;
  if (gone.size > 0) ids = ids.filter((id) => !gone.has(id));
  if (fresh.length > 0)
    ids = list.order ? inserted(list.order, ids, fresh, entities) : sorted([...ids, ...fresh]);
  return { ...list, ids, entities, total: totalOf({ ...list, ids }, list.total + fresh.length - gone.size) };
}

/**
 * The list with one entity that was fetched on its own (null: it was removed). Only an entity that is in the list is
 * changed, and never to an earlier version; ids are unique across kinds.
 */
export function withEntity<T extends Entity>(list: LiveList<T>, id: string, entity: T | null): LiveList<T> {
  const held = list.entities[id];
  if (!held || (entity && entity.version <= held.version)) return list;
  const stays = entity !== null && (list.order !== undefined || wanted(list, entity));
  return stays
    ? changeList(list, new Map([[id, entity]]), new Set())
    : changeList(list, new Map(), new Set([id]));
}

/** Whether a cached value is a live list. */
export function isLiveList(value: unknown): value is LiveList {
  return typeof value === "object" && value !== null && "entities" in value && "startedAt" in value;
}
