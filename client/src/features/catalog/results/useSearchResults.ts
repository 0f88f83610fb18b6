import { useEffect, useRef } from "react";
import { type ListIds, useListIds } from "@/api/useListIds";
import * as t from "@/texts/search";
import { useAnnounce } from "@/ui";
import { type PhonesArg, phoneList } from "../phoneList";
import { countText } from "./countText";
import { noticeOf } from "./searchChanges";

/** A loaded list and its query argument. */
export interface LoadedResults {
  arg: PhonesArg;
  list: ListIds;
}

/**
 * The list of the current query, and the results to display: the previous ones until the new list has loaded, none after
 * an error. Announces the number of results when the query changes.
 */
export function useSearchResults(arg: PhonesArg, topics?: readonly string[]) {
  const currentList = useListIds(phoneList, arg, topics);
  const last = useRef<LoadedResults | null>(null);
  if (currentList.ids) last.current = { arg, list: currentList };
  useAnnounceCount(arg.queryString, currentList);
  return { currentList, displayed: currentList.error === undefined ? last.current : null };
}

function useAnnounceCount(queryString: string, list: ListIds): void {
  const announce = useAnnounce();
  const lastAnnounced = useRef(queryString);
  const counted = list.ids && countText(list, queryString !== "");
  const found = counted && `${noticeOf(queryString, list)} ${t.phonesFound(counted)}`.trim();
  useEffect(() => {
    if (found === undefined || lastAnnounced.current === queryString) return;
    lastAnnounced.current = queryString;
    announce(found);
  }, [queryString, found, announce]);
}
