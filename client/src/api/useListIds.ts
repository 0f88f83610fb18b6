import { type SkipToken, skipToken } from "@reduxjs/toolkit/query";
import { useMemo } from "react";
import { shallowEqual, useSelector } from "react-redux";
import type { Entity, LiveList } from "@/lib/live";
import { toApiError } from "./errors";
import { useLiveTopic, useLiveTopics } from "./live";
import type { PageArg } from "./liveList";
import { useShownList } from "./shownLists";
import { useRefetch } from "./useRefetch";

/** A list endpoint made with liveList, as far as a grid needs it. */
interface ListEndpoint<T extends Entity, A extends PageArg> {
  name: string;
  /** RTK Query's own: there in the types only. */
  Types: { QueryArg: A; ResultType: LiveList<T> };
  useQuerySubscription: (arg: A | SkipToken) => unknown;
  initiate: (arg: A, options: { forceRefetch: boolean; subscribe: boolean }) => unknown;
  select: (
    arg: A | SkipToken,
  ) => (state: never) => { data?: LiveList<NoInfer<T>>; error?: unknown; status: string };
}

/** A list without its entities: the same while they only change in place. */
export interface ListIds {
  /** Undefined until the first answer. Newest first. */
  ids: string[] | undefined;
  total: number;
  nextCursor: string | null;
  /** When this list was asked for; a list that is fetched anew has another, and its ids come with it. */
  startedAt: number | undefined;
  isFetching: boolean;
  /** Why there is no answer. */
  error: string | undefined;
  /** HTTP status of that failure, 0 when the server could not be reached. */
  errorStatus: number | undefined;
  retry: () => void;
}

const NO_TOPICS: readonly string[] = [];

/**
 * Loads a list and follows it live, for a grid whose cards each select their
 * own entity (useListEntity): an event then renders its card and not the grid.
 * Null: nothing to load yet. `topics` are those of a list whose answer names none,
 * the same array from render to render.
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

/** What looks a list up, by its argument: one for all of its cards, so that it is looked up once a change and not once a card. */
const lookUps = new WeakMap<object, (state: never) => { data?: LiveList }>();

/**
 * One entity of a list; undefined once it has left. Renders its caller when that entity changes, and no other.
 * `arg` is the same object from card to card.
 */
export function useListEntity<T extends Entity, A extends PageArg>(
  endpoint: ListEndpoint<T, A>,
  arg: A,
  id: string,
): T | undefined {
  let lookUp = lookUps.get(arg) as ReturnType<typeof endpoint.select> | undefined;
  if (!lookUp) {
    lookUp = endpoint.select(arg);
    lookUps.set(arg, lookUp);
  }
  const select = lookUp;
  return useSelector((state: never) => select(state).data?.entities[id]);
}

/** The cache entry's selector; made anew only when the argument's content changes. */
function useSelected<T extends Entity, A extends PageArg>(endpoint: ListEndpoint<T, A>, arg: A | null) {
  const key = JSON.stringify(arg);
  return useMemo(() => endpoint.select(key === "null" ? skipToken : (JSON.parse(key) as A)), [endpoint, key]);
}
