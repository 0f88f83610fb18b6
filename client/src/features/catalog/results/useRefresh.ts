import { useState } from "react";
import { useDispatch } from "react-redux";
import { refetchLists } from "@/api/refetchLists";
import * as t from "@/texts/search";
import { useToast } from "@/ui";
import { type PhonesArg, phoneList } from "../phoneList";
import type { CatalogDispatch } from "../useNextPage";

/**
 * Refetches the list on request. `round` counts the refetched lists: a grid with `round` in its key is rebuilt exactly
 * when the new list is shown. `startedAt` belongs to the shown list and is read from the store together with its ids.
 */
export function useRefresh(arg: PhonesArg, startedAt: number | undefined) {
  const dispatch = useDispatch<CatalogDispatch>();
  const toast = useToast();
  const [asked, setAsked] = useState<number | null>(null);
  const [round, setRound] = useState(0);
  // Set during render, so that list and round always change together: the store reports a list one frame after
  // the promise of the call has resolved.
  if (asked !== null && startedAt !== undefined && startedAt >= asked) {
    setAsked(null);
    setRound(round + 1);
  }
  const again = async () => {
    setAsked(Date.now());
    const isThere = await dispatch((run, getState) =>
      run(refetchLists((list) => list === phoneList.select(arg)(getState()).data)),
    );
    if (isThere) return;
    setAsked(null);
    toast(t.notUpdated, "error");
  };
  return { round, isAsking: asked !== null, again: () => void again() };
}
