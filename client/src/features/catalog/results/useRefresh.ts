import { useState } from "react";
import { useDispatch } from "react-redux";
import { refetchLists } from "@/api/liveList";
import * as t from "@/texts/find";
import { useToast } from "@/ui";
import { type PhonesArg, phoneList } from "../phoneList";
import type { CatalogDispatch } from "../useNextPage";

/**
 * Asks for the list again because somebody wants it tidy. `round` counts the lists that came in answer: a grid
 * with it in its key starts anew with that list, neither before it is there nor after. `startedAt` is that of
 * the list shown, from the same look at the store as its ids.
 */
export function useRefresh(arg: PhonesArg, startedAt: number | undefined) {
  const dispatch = useDispatch<CatalogDispatch>();
  const toast = useToast();
  const [asked, setAsked] = useState<number | null>(null);
  const [round, setRound] = useState(0);
  // While rendering, so that no grid is ever drawn of the new list with the old round, or the other way about:
  // the store tells of a list a frame after the call's promise has resolved.
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
