import type { ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import type { Entity, LiveList } from "@/lib/live";
import { sleep } from "@/lib/sleep";
import { type ApiRoot, api } from "./api";
import { type ConnectionRoot, selectIsLive } from "./connectionSlice";
import { type ApiError, toApiError } from "./errors";
import { entityFetched } from "./liveActions";
import { type ListTest, refetchLists, removeHiddenLists, selectShownLists } from "./refetchLists";
import type { ShownListsRoot } from "./shownLists";

/** The server publishes an event within this time of its write, milliseconds, even if its process stops in between. */
const EVENT_TIMEOUT_MS = 5_000;

type Root = ApiRoot & ConnectionRoot & ShownListsRoot;

/** What a write may have changed. */
interface WriteScope {
  /** The lists that contain the entity. */
  lists: ListTest;
  /** The _id of the changed entity; left out for a new one. */
  id?: string;
  /** The path of the entity; without it, its lists are refetched. */
  path?: string;
  /** Whether the response has all fields that the lists show; if not, the lists are refetched. True by default. */
  hasAllFields?: (entity: Entity) => boolean;
}

/** Statuses of a write that changed nothing, and after which the entity on the screen is not outdated. */
const NO_CHANGE_STATUSES = new Set([401, 403, 422, 429]);

const entityApi = api.injectEndpoints({
  endpoints: (build) => ({
    entity: build.query<Entity, string>({ query: (path) => path }),
  }),
});

/**
 * Updates the screen after a write with as few requests as possible. While the connection is live, the event of the
 * write does that. Without a live connection, or if the event does not arrive in time, only the entity is fetched. The
 * same is done after an error: the screen may be outdated.
 */
export const afterWrite =
  ({ lists, id, path, hasAllFields = () => true }: WriteScope, call: PromiseLike<unknown>) =>
  async (dispatch: ThunkDispatch<Root, unknown, UnknownAction>, getState: () => Root): Promise<void> => {
    const before = versionsOf(id, selectShownLists(lists, getState()));
    const error = await errorOf(call);
    if (error && NO_CHANGE_STATUSES.has(error.status)) return;
    const isLive = selectIsLive(getState());
    if (!isLive || id === undefined) dispatch(removeHiddenLists(lists));
    if (id === undefined && isLive) return;
    if (isLive) await sleep(EVENT_TIMEOUT_MS * (1 + Math.random()));
    const after = versionsOf(id, selectShownLists(lists, getState()));
    const isLate = [...after].some(([key, version]) => before.get(key) === version);
    if (id !== undefined && !isLate) return;
    if (!path || id === undefined) {
      await dispatch(refetchLists(lists));
      return;
    }
    const read = entityApi.endpoints.entity.initiate(path, { forceRefetch: true, subscribe: false });
    const { data, error: readError } = await dispatch(read);
    if (data && !hasAllFields(data)) await dispatch(refetchLists(lists));
    else if (data) dispatch(entityFetched({ id, entity: data }));
    else if (toApiError(readError).status === 404) dispatch(entityFetched({ id, entity: null }));
  };

/** The parts of RTK Query's argument of `onQueryStarted` that updateAfterWrite uses. */
interface Mutation {
  dispatch: (thunk: ReturnType<typeof afterWrite>) => Promise<void>;
  queryFulfilled: PromiseLike<unknown>;
}

/** The `onQueryStarted` of a mutation that updates the screen, see afterWrite. */
export const updateAfterWrite =
  <Arg>(scopeOf: (arg: Arg) => WriteScope) =>
  (arg: Arg, { dispatch, queryFulfilled }: Mutation): Promise<void> =>
    dispatch(afterWrite(scopeOf(arg), queryFulfilled));

/** The version of the entity in each list that contains it, by cache key. */
function versionsOf(id: string | undefined, lists: Record<string, LiveList>): Map<string, number> {
  const versions = Object.entries(lists).flatMap(([key, { entities }]) => {
    const version = entities[id ?? ""]?.version;
    return version === undefined ? [] : [[key, version] as const];
  });
  return new Map(versions);
}

async function errorOf(call: PromiseLike<unknown>): Promise<ApiError | null> {
  try {
    await call;
    return null;
  } catch (rejection) {
    return toApiError((rejection as { error?: unknown }).error);
  }
}
