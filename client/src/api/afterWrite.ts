import type { ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import type { Entity, LiveList } from "@/lib/live";
import { api } from "./api";
import { type ConnectionRoot, selectIsLive } from "./connection";
import { type ApiError, toApiError } from "./errors";
import { entityRead } from "./liveActions";
import { forgetHidden, type ListTest, refetchLists, selectShownLists } from "./liveList";
import type { ShownListsRoot } from "./shownLists";

/** The server publishes an event within this time of its write, milliseconds (contract section 5). */
const EVENT_MS = 5_000;

interface Root extends ConnectionRoot, ShownListsRoot {
  api: ReturnType<typeof api.reducer>;
}

/** The data that a write may have changed. */
interface Written {
  /** The lists that contain it. */
  lists: ListTest;
  /** The _id of the changed entity; left out for a new one. */
  id?: string;
  /** The path of the entity alone; without it, its lists are refetched. */
  path?: string;
  /** Whether the response has all fields that the lists show, otherwise these are refetched; by default it has. */
  isWhole?: (entity: Entity) => boolean;
}

/** Statuses of a write that changed nothing, and whose entity is not outdated. */
const UNCHANGED = new Set([401, 403, 422, 429]);

const reads = api.injectEndpoints({
  endpoints: (build) => ({
    entity: build.query<Entity, string>({ query: (path) => path }),
  }),
});

/**
 * Updates the screen after a write with as few calls as possible. While the connection is live, the event of the
 * write does that. Without a live connection, or if the event does not arrive in time, the entity alone is fetched.
 * The same after a refusal: the screen may be outdated.
 */
export const afterWrite =
  ({ lists, id, path, isWhole = () => true }: Written, call: PromiseLike<unknown>) =>
  async (dispatch: ThunkDispatch<Root, unknown, UnknownAction>, getState: () => Root): Promise<void> => {
    const before = versionsOf(id, selectShownLists(lists, getState()));
    const failure = await failureOf(call);
    if (failure && UNCHANGED.has(failure.status)) return;
    const isLive = selectIsLive(getState());
    if (!isLive || id === undefined) dispatch(forgetHidden(lists));
    if (id === undefined && isLive) return;
    if (isLive) await pause(EVENT_MS * (1 + Math.random()));
    const now = versionsOf(id, selectShownLists(lists, getState()));
    const isLate = [...now].some(([key, version]) => before.get(key) === version);
    if (id !== undefined && !isLate) return;
    if (!path || id === undefined) {
      await dispatch(refetchLists(lists));
      return;
    }
    const read = reads.endpoints.entity.initiate(path, { forceRefetch: true, subscribe: false });
    const { data, error } = await dispatch(read);
    if (data && !isWhole(data)) await dispatch(refetchLists(lists));
    else if (data) dispatch(entityRead({ id, entity: data }));
    else if (toApiError(error).status === 404) dispatch(entityRead({ id, entity: null }));
  };

/** The version of the entity in each list that contains it, by cache key. */
function versionsOf(id: string | undefined, lists: Record<string, LiveList>): Map<string, number> {
  const held = Object.entries(lists).flatMap(([key, { entities }]) => {
    const version = entities[id ?? ""]?.version;
    return version === undefined ? [] : [[key, version] as const];
  });
  return new Map(held);
}

async function failureOf(call: PromiseLike<unknown>): Promise<ApiError | null> {
  try {
    await call;
    return null;
  } catch (failure) {
    return toApiError((failure as { error?: unknown }).error);
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
