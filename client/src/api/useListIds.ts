import { skipToken } from "@reduxjs/toolkit/query";
import { useMemo, useState } from "react";
import { shallowEqual, useSelector } from "react-redux";
import type { Entity, LiveList } from "@/lib/live";
import type { Query } from "@/lib/productQuery";
import type { ApiRoot } from "./api";
import { toApiError } from "./errors";
import type { ListEndpoint } from "./listEndpoint";
import { useLiveTopic, useLiveTopics } from "./live";
import type { PageArg } from "./liveList";
import { useShownList } from "./shownLists";
import { useRefetch } from "./useRefetch";

/** A list without its entities; its ids are the same array while only entities change. */
export interface ListIds {
  /** In the list's order; undefined until the first response. */
  ids: string[] | undefined;
  total: number;
  nextCursor: string | null;
  /** The query that the server made: prices in the words are filters, and words may be other ones; undefined without a query. */
  searched: Query | undefined;
  /** The words that the server let go, because no phone had all of them. */
  leftOut: readonly string[];
  /** When the list was requested; a refetch changes it together with the ids. */
  startedAt: number | undefined;
  isFetching: boolean;
  /** The message of the error, if there is no list. */
  error: string | undefined;
  /** The HTTP status of that error; 0 if the server could not be reached. */
  errorStatus: number | undefined;
  retry: () => void;
}

const NO_TOPICS: readonly string[] = [];
const NO_WORDS: readonly string[] = [];

/**
 * Loads a list and subscribes to its topic, for a grid whose cards select their own entities (useListEntity): an event
 * then renders one card and not the grid. Null if there is no argument yet. `topics` are for a list whose response names
 * no topic; they must be the same array in every render.
 */
export function useListIds<T extends Entity, A extends PageArg>(
  endpoint: ListEndpoint<T, A>,
  arg: A | null,
  topics: readonly string[] = NO_TOPICS,
): ListIds {
  endpoint.useQuerySubscription(arg ?? skipToken);
  const select = useListSelector(endpoint, arg);
  const { id, topic, position, ...ids } = useSelector((state: ApiRoot) => {
    const { data, error, status } = select(state);
    return {
      id: data?.id,
      ids: data?.ids,
      total: data?.total ?? 0,
      nextCursor: data?.nextCursor ?? null,
      searched: data?.order?.query,
      leftOut: data?.leftOut ?? NO_WORDS,
      topic: data?.topic,
      position: data?.position,
      startedAt: data?.startedAt,
      isFetching: status === "pending",
      error: !data && error ? toApiError(error).message : undefined,
      errorStatus: !data && error ? toApiError(error).status : undefined,
    };
  }, shallowEqual);
  useShownList(id);
  useLiveTopic(topic, position, ids.startedAt);
  useLiveTopics(topics, ids.startedAt);
  return { ...ids, retry: useRefetch(endpoint, arg as A) };
}

/** The selectors of lists by their argument. All cards of a list share one, so that it computes once per change. */
const selectors = new WeakMap<object, (state: ApiRoot) => { data?: LiveList }>();

/**
 * One entity of a list; undefined if it is not in the list. The component renders only when this entity changes. `arg`
 * must be the same object for all cards.
 */
export function useListEntity<T extends Entity, A extends PageArg>(
  endpoint: ListEndpoint<T, A>,
  arg: A,
  id: string,
): T | undefined {
  let selector = selectors.get(arg) as ReturnType<typeof endpoint.select> | undefined;
  if (!selector) {
    selector = endpoint.select(arg);
    selectors.set(arg, selector);
  }
  const select = selector;
  return useSelector((state: ApiRoot) => select(state).data?.entities[id]);
}

/** The number of a list's entities that match. The component renders only when it changes. */
export function useListCount<T extends Entity, A extends PageArg>(
  endpoint: ListEndpoint<T, A>,
  arg: A,
  matches: (entity: T) => boolean,
): number {
  const select = useListSelector(endpoint, arg);
  return useSelector((state: ApiRoot) => {
    const { ids = [], entities = {} } = select(state).data ?? {};
    return ids.filter((id) => matches(entities[id] as T)).length;
  });
}

/** The result of `make` for the list when it is first loaded; later changes of the list do not change it. */
export function useFirstList<T extends Entity, A extends PageArg, R>(
  endpoint: ListEndpoint<T, A>,
  arg: A,
  make: (entities: T[]) => R,
): R | undefined {
  const select = useListSelector(endpoint, arg);
  const [made, setMade] = useState<{ from: R }>();
  const list = useSelector((state: ApiRoot) => (made ? undefined : select(state).data));
  if (list && !made) setMade({ from: make(list.ids.map((id) => list.entities[id] as T)) });
  return made?.from;
}

/** The selector of the cache entry; a new one only if the content of the argument changes. */
function useListSelector<T extends Entity, A extends PageArg>(endpoint: ListEndpoint<T, A>, arg: A | null) {
  const key = JSON.stringify(arg);
  return useMemo(() => endpoint.select(key === "null" ? skipToken : (JSON.parse(key) as A)), [endpoint, key]);
}
