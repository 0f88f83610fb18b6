import { createSelector } from "@reduxjs/toolkit";
import type { Entity } from "@/lib/live";
import type { ApiRoot } from "./api";
import type { ListEndpoint } from "./listEndpoint";
import type { PageArg } from "./liveList";
import { useMe } from "./me";
import { useKnownRole } from "./role";
import { type SessionRoot, selectMe } from "./sessionSlice";
import { useList } from "./useList";

/** The argument of a list of one buyer. */
export interface OwnArg extends PageArg {
  email: string;
}

/** Loads a list of what the signed-in user buys and keeps it live. */
export function useOwnList<T extends Entity>(endpoint: ListEndpoint<T, OwnArg>) {
  const email = useMe()?.email;
  const role = useKnownRole();
  return useList(endpoint, email && role && role !== "admin" ? { email } : null);
}

/**
 * Creates the selector of the entities of such a list by the phone's _id: the newest of each phone, of the loaded pages.
 * It is created once, because each card of a list uses it at each change.
 */
export function createOwnByPhone<T extends Entity & { productID: string }>(
  endpoint: ListEndpoint<T, OwnArg>,
) {
  const selectQuery = createSelector([selectMe], (me) => endpoint.select({ email: me?.email ?? "" }));
  return createSelector(
    [(state: SessionRoot & ApiRoot) => selectQuery(state)(state).data],
    (list): ReadonlyMap<string, T> =>
      new Map(
        list?.ids.toReversed().flatMap((id) => {
          const own = list.entities[id];
          return own ? [[own.productID, own]] : [];
        }),
      ),
  );
}
