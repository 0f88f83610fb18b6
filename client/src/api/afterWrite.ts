import type { ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import type { Entity, LiveList } from "@/lib/live";
import { api } from "./api";
import { type ConnectionRoot, selectIsLive } from "./connection";
import { type ApiError, toApiError } from "./errors";
import { entityRead } from "./liveActions";
import { forgetHidden, type ListTest, refetchLists, selectShownLists } from "./liveList";
import type { ShownListsRoot } from "./shownLists";

/** The server publishes an event within this time of its write, milliseconds (contract section 5). */
export const EVENT_MS = 5_000;

interface Root extends ConnectionRoot, ShownListsRoot {
  api: ReturnType<typeof api.reducer>;
}

/** What a write may have changed. */
interface Written {
  /** The lists that it concerns. */
  lists: ListTest;
  /** The _id of the one entity that it changes in them; left out for one that is new. */
  id?: string;
  /** Where that entity alone is read; left out where there is no such call: then its lists are fetched. */
  path?: string;
  /** Whether what was read there has all that the lists show of it; without it, it does. Else the lists are fetched. */
  isWhole?: (entity: Entity) => boolean;
}

/** Statuses after which nothing has changed. */
const NOTHING_DONE = new Set([401, 403, 422, 429]);

const reads = api.injectEndpoints({
  endpoints: (build) => ({
    entity: build.query<Entity, string>({ query: (path) => path }),
  }),
});

/**
 * Brings what a write has changed to the screen, and fetches as little as can be: while live events come they
 * bring it, and nothing is fetched. Where they do not come, or this one has not come in time, the one entity is
 * read. A refusal is treated alike: what is on the screen may be old.
 */
export const afterWrite =
  ({ lists, id, path, isWhole = () => true }: Written, call: PromiseLike<unknown>) =>
  async (dispatch: ThunkDispatch<Root, unknown, UnknownAction>, getState: () => Root): Promise<void> => {
    const before = versionsOf(id, selectShownLists(lists, getState()));
    const failure = await failureOf(call);
    if (failure && NOTHING_DONE.has(failure.status)) return;
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

/** The version of the entity in each of the lists that have it, by their keys. */
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
