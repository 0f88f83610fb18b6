import {
  compareSortKeys,
  matches,
  type Query,
  type SearchableProduct,
  type SortKey,
  sortKeyOf,
} from "@/lib/productQuery/query";
import { LIST_RULES } from "./listRules";
import type { Entity, ListKind, LiveList, OrderFilter } from "./types";

/** The properties of a list besides its items: from the response's headers and from the request. */
interface ListMeta {
  kind: ListKind;
  total: number | null;
  nextCursor: string | null;
  topic: string | null;
  position: string | null;
  /** When the request was sent: milliseconds since 1970 on this machine's clock. */
  startedAt: number;
  /** The filters and the order; left out for all entities, newest first. */
  query?: Query;
  /** The filter of a list of orders. */
  filter?: OrderFilter | undefined;
  /** The words that the server let go. */
  leftOut?: readonly string[];
}

/** The entity's sort key; lists with an order contain phones only. */
const sortKey = (query: Query, entity: Entity): SortKey =>
  sortKeyOf(query, entity as Entity & SearchableProduct);

/** Whether an entity, as it is now, belongs to the list. */
export function belongsTo(list: LiveList, entity: Entity): boolean {
  if (!LIST_RULES[list.kind].includes(entity, list.filter)) return false;
  return !list.order || matches(list.order.query, entity as Entity & SearchableProduct);
}

/** Creates a list from one page's entities, without those whose own fields say that they do not belong to it. */
export function createList<T extends Entity>(items: readonly T[], meta: ListMeta): LiveList<T> {
  const entities: Record<string, T> = {};
  for (const item of items) {
    if (LIST_RULES[meta.kind].includes(item)) entities[item._id] = item;
  }
  const { query, ...rest } = meta;
  const last = items.at(-1);
  const ids = query ? Object.keys(entities) : sortIds(meta.kind, Object.keys(entities));
  const order = query && { query, lastKey: last ? sortKey(query, last) : null };
  const list = { ...rest, order, ids, entities };
  return { ...list, total: countTotal(list, meta.total ?? items.length) };
}

/**
 * The total of a list, from the server's count. The total of a completely loaded list is the number of its ids: the
 * server's count is from the last page, so changes since the first page would be counted twice.
 */
function countTotal({ ids, nextCursor }: Pick<LiveList, "ids" | "nextCursor">, serverTotal: number) {
  return nextCursor === null ? ids.length : Math.max(ids.length, serverTotal);
}

/** Whether the first id is before the other in this kind of list: ids begin with the time of creation. */
const isBefore = (kind: ListKind, a: string, b: string) => (LIST_RULES[kind].isOldestFirst ? a < b : a > b);

/** Sorts ids of entities without another order. */
function sortIds(kind: ListKind, ids: string[]): string[] {
  return ids.sort((a, b) => (isBefore(kind, a, b) ? -1 : isBefore(kind, b, a) ? 1 : 0));
}

/** The newer of two copies; the cached one if they are equal, so that its card does not render again. */
function newer<T extends Entity>(cached: T | undefined, fetched: T): T {
  return cached && cached.version >= fetched.version ? cached : fetched;
}

/** The list with a further page appended. */
export function appendPage<T extends Entity>(list: LiveList<T>, page: LiveList<T>): LiveList<T> {
  const entities = { ...list.entities };
  for (const id of page.ids) entities[id] = newer(list.entities[id], page.entities[id] as T);
  const added = page.ids.filter((id) => !(id in list.entities));
  const ids = list.order ? [...list.ids, ...added] : sortIds(list.kind, Object.keys(entities));
  const joined = { ...list, ...(page.order && { order: page.order }), ids, nextCursor: page.nextCursor };
  return { ...joined, entities, total: countTotal(joined, page.total) };
}

/** The refetched list, with the cached entities that are newer: their events arrived before the response. */
export function replaceList<T extends Entity>(cached: LiveList<T>, fetched: LiveList<T>): LiveList<T> {
  const entities: Record<string, T> = {};
  for (const id of fetched.ids) entities[id] = newer(cached.entities[id], fetched.entities[id] as T);
  return { ...fetched, entities };
}

/** Whether this entity would be on one of the loaded pages, if it belongs to the list. */
export function isInLoadedRange(list: LiveList, entity: Entity): boolean {
  if (list.onlyId !== undefined) return entity._id === list.onlyId;
  if (LIST_RULES[list.kind].isClosed) return entity._id in list.entities;
  if (list.nextCursor === null || LIST_RULES[list.kind].isUnordered) return true;
  if (list.order) {
    const { query, lastKey } = list.order;
    return lastKey === null || compareSortKeys(sortKey(query, entity), lastKey) < 0;
  }
  const lastId = list.ids.at(-1);
  return lastId === undefined || isBefore(list.kind, entity._id, lastId);
}

/** The ids with the new ones inserted, each before the first one that sorts after it; the others are not moved. */
function insertInOrder<T extends Entity>(
  { query }: { query: Query },
  ids: string[],
  added: string[],
  entities: Record<string, T>,
): string[] {
  const keys = ids.map((id) => sortKey(query, entities[id] as T));
  for (const id of added) {
    const key = sortKey(query, entities[id] as T);
    const index = keys.findIndex((other) => compareSortKeys(key, other) < 0);
    keys.splice(index < 0 ? keys.length : index, 0, key);
  }
  return keys.map(({ id }) => id);
}

/** Copies the list once, with entities added or replaced and others removed. Returns the same list when nothing changes. */
export function updateList<T extends Entity>(
  list: LiveList<T>,
  upserted: ReadonlyMap<string, T>,
  removed: ReadonlySet<string>,
): LiveList<T> {
  const removedIds = new Set([...removed].filter((id) => id in list.entities));
  const added = [...upserted.keys()].filter((id) => !(id in list.entities));
  if (removedIds.size === 0 && upserted.size === 0) return list;
  const entities = { ...list.entities };
  for (const id of removedIds) delete entities[id];
  for (const [id, entity] of upserted) entities[id] = entity;
  // The ids keep their reference while no entity is added or removed: the grid selects them.
  let ids = list.ids;
  if (removedIds.size > 0) ids = ids.filter((id) => !removedIds.has(id));
  if (added.length > 0)
    ids = list.order
      ? insertInOrder(list.order, ids, added, entities)
      : sortIds(list.kind, [...ids, ...added]);
  return {
    ...list,
    ids,
    entities,
    total: countTotal({ ...list, ids }, list.total + added.length - removedIds.size),
  };
}

/**
 * The list with one entity that was fetched on its own (null: it was removed). Only an entity that is in the list is
 * changed, and never to an earlier version; ids are unique across kinds.
 */
export function updateEntity<T extends Entity>(list: LiveList<T>, id: string, entity: T | null): LiveList<T> {
  const cached = list.entities[id];
  if (!cached || (entity && entity.version <= cached.version)) return list;
  const isKept = entity !== null && (list.order !== undefined || belongsTo(list, entity));
  return isKept
    ? updateList(list, new Map([[id, entity]]), new Set())
    : updateList(list, new Map(), new Set([id]));
}

/** Whether a cached value is a live list. */
export function isLiveList(value: unknown): value is LiveList {
  return typeof value === "object" && value !== null && "entities" in value && "startedAt" in value;
}
