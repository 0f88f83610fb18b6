import { type SkipToken, skipToken } from "@reduxjs/toolkit/query";
import { useMemo } from "react";
import { shallowEqual, useSelector } from "react-redux";
import type { Entity, LiveList } from "@/lib/live";
import { toApiError } from "./errors";
import { useLiveTopic, useLiveTopics } from "./live";
import type { PageArg } from "./liveList";
import { useShownList } from "./shownLists";
import { useRefetch } from "./useRefetch";

/** The part of a list endpoint (liveList) that a grid needs. */
interface ListEndpoint<T extends Entity, A extends PageArg> {
  name: string;
  /** Declared by RTK Query; exists in the types only. */
  Types: { QueryArg: A; ResultType: LiveList<T> };
  useQuerySubscription: (arg: A | SkipToken) => unknown;
  initiate: (arg: A, options: { forceRefetch: boolean; subscribe: boolean }) => unknown;
  select: (
    arg: A | SkipToken,
  ) => (state: never) => { data?: LiveList<NoInfer<T>>; error?: unknown; status: string };
}

/** A list without its entities; it stays the same object while only entities change. */
export interface ListIds {
  /** Undefined until the first answer. Newest first. */
  ids: string[] | undefined;
  total: number;
  nextCursor: string | null;
  /** When this list was requested; a refetch changes it together with the ids. */
  startedAt: number | undefined;
  isFetching: boolean;
  /** Why there is no list. */
  error: string | undefined;
  /** HTTP status of that failure, 0 when the server could not be reached. */
  errorStatus: number | undefined;
  retry: () => void;
}

const NO_TOPICS: readonly string[] = [];

/**
 * Loads a list and subscribes to its topic, for a grid whose cards select their own entities (useListEntity): an
 * event then renders one card and not the grid. Null: nothing to load yet. `topics` are for a list whose response
 * names none; the same array in every render.
 */
export function useListIds<T extends Entity, A extends PageArg>(
  endpoint: ListEndpoint<T, A>,
  arg: A | null,
  topics: readonly string[] = NO_TOPICS,
): ListIds {
  endpoint.useQuerySubscription(arg ?? skipToken);
  const select = useSelected(endpoint, arg);
  const { id, topic, position, ...frame } = useSelector((state: never) => {
    const { data, error, status } = select(state);
    return {
      id: data?.id,
      ids: data?.ids,
      total: data?.total ?? 0,
      nextCursor: data?.nextCursor ?? null,
      topic: data?.topic,
      position: data?.position,
      startedAt: data?.startedAt,
      isFetching: status === "pending",
      error: !data && error ? toApiError(error).message : undefined,
      errorStatus: !data && error ? toApiError(error).status : undefined,
    };
  }, shallowEqual);
  useShownList(id);
  useLiveTopic(topic, position, frame.startedAt);
  useLiveTopics(topics, frame.startedAt);
  return { ...frame, retry: useRefetch(endpoint, arg as A) };
}

/** The selector of a list by its argument, shared by all its cards: the list is selected once per change, not per card. */
const selectors = new WeakMap<object, (state: never) => { data?: LiveList }>();

/**
 * One entity of a list; undefined once it is not in the list. Its caller renders when this entity changes only.
 * `arg` is the same object for all cards.
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
  return useSelector((state: never) => select(state).data?.entities[id]);
}

/** The cache entry's selector; a new one only when the argument's content changes. */
function useSelected<T extends Entity, A extends PageArg>(endpoint: ListEndpoint<T, A>, arg: A | null) {
  const key = JSON.stringify(arg);
  return useMemo(() => endpoint.select(key === "null" ? skipToken : (JSON.parse(key) as A)), [endpoint, key]);
}
