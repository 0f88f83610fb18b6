import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { useEffect } from "react";
import { useDispatch } from "react-redux";
import type { ListKind } from "@/lib/live";

const slice = createSlice({
  name: "shownLists",
  initialState: {} as Record<string, number>,
  reducers: {
    /** A screen begins to show the list with this id. */
    listShown: (counts, { payload: id }: PayloadAction<string>) => {
      counts[id] = (counts[id] ?? 0) + 1;
    },
    /** A screen stops showing it. */
    listHidden: (counts, { payload: id }: PayloadAction<string>) => {
      const left = (counts[id] ?? 0) - 1;
      if (left > 0) counts[id] = left;
      else delete counts[id];
    },
  },
});

/** Identifies a list among the cached ones by its kind and argument; its pages share it. */
export function listId(kind: ListKind, arg: object): string {
  return `${kind} ${JSON.stringify({ ...arg, cursor: undefined })}`;
}

/** The tag that a list's endpoint provides: it invalidates the cache entry of this list alone. */
export const listTag = (id: string) => ({ type: "List" as const, id });

export const { listShown, listHidden } = slice.actions;
/** Mounted as `shownLists`: how many screens show a list, by listId. */
export const shownListsReducer = slice.reducer;

/** The part of the store that counts the screens. */
export interface ShownListsRoot {
  shownLists: ReturnType<typeof shownListsReducer>;
}

/**
 * Counts the calling screen as one that shows this list, for liveList.ts: RTK Query offers no way to ask which
 * cache entries have subscribers. Undefined while there is no list yet.
 */
export function useShownList(id: string | undefined): void {
  const dispatch = useDispatch();
  useEffect(() => {
    if (id === undefined) return;
    dispatch(listShown(id));
    return () => {
      dispatch(listHidden(id));
    };
  }, [dispatch, id]);
}
