import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { useEffect } from "react";
import { useDispatch } from "react-redux";
import type { ListKind } from "@/lib/live";

const slice = createSlice({
  name: "shownLists",
  initialState: {} as Record<string, number>,
  reducers: {
    /** A screen now shows the list with this id. */
    listShown: (counts, { payload: id }: PayloadAction<string>) => {
      counts[id] = (counts[id] ?? 0) + 1;
    },
    /** A screen no longer shows it. */
    listHidden: (counts, { payload: id }: PayloadAction<string>) => {
      const count = (counts[id] ?? 0) - 1;
      if (count > 0) counts[id] = count;
      else delete counts[id];
    },
  },
});

/** The id of a list among the cached ones: its kind and argument. All its pages have the same one. */
export function listId(kind: ListKind, arg: object): string {
  return `${kind} ${JSON.stringify({ ...arg, cursor: undefined })}`;
}

/** The tag that a list's endpoint provides; it invalidates the cache entry of this list only. */
export const listTag = (id: string) => ({ type: "List" as const, id });

export const { listShown, listHidden } = slice.actions;
/** Mounted as `shownLists`: the number of screens that show a list, by listId. */
export const shownListsReducer = slice.reducer;

/** The part of the state that counts the screens. */
export interface ShownListsRoot {
  shownLists: ReturnType<typeof shownListsReducer>;
}

/**
 * Counts the calling screen as one that shows this list. RTK Query has no selector for the cache entries that have
 * subscribers. Undefined while there is no list yet.
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
