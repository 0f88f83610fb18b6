import type { ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import { useState } from "react";
import { useDispatch } from "react-redux";
import type { api } from "@/api/api";
import { refetchLists } from "@/api/refetchLists";
import type { ShownListsRoot } from "@/api/shownLists";
import { steadyNow } from "@/lib/serverTime";
import * as t from "@/texts/search";
import { useToast } from "@/ui";
import { type PhonesArg, phoneList } from "../phoneList";

type Root = ShownListsRoot & { api: ReturnType<typeof api.reducer> };

/**
 * Refetches the list on request. `refreshCount` counts the refetched lists: a grid with it in its key is rebuilt exactly
 * when the new list is displayed. `startedAt` belongs to the displayed list and is read from the store together with its ids.
 */
export function useRefresh(arg: PhonesArg, startedAt: number | undefined) {
  const dispatch = useDispatch<ThunkDispatch<Root, unknown, UnknownAction>>();
  const toast = useToast();
  const [requestedAt, setRequestedAt] = useState<number | null>(null);
  const [refreshCount, setRefreshCount] = useState(0);
  // Set during render, so that list and count always change together: the store reports a list one frame after
  // the promise of the call has resolved.
  if (requestedAt !== null && startedAt !== undefined && startedAt >= requestedAt) {
    setRequestedAt(null);
    setRefreshCount(refreshCount + 1);
  }
  const refresh = async () => {
    setRequestedAt(steadyNow());
    const isThere = await dispatch((run, getState) =>
      run(refetchLists((list) => list === phoneList.select(arg)(getState()).data)),
    );
    if (isThere) return;
    setRequestedAt(null);
    toast(t.notUpdated, "error");
  };
  return { refreshCount, isRefreshing: requestedAt !== null, refresh: () => void refresh() };
}
