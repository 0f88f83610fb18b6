import { useEffect, useRef } from "react";
import { type ListIds, useListIds } from "@/api/useListIds";
import * as t from "@/texts/search";
import { useAnnounce } from "@/ui";
import { type PhonesArg, phoneList } from "../phoneList";
import { correctionOf } from "./correctionOf";
import { countText } from "./countText";

/** A loaded list and its query argument. */
export interface LoadedResults {
  arg: PhonesArg;
  frame: ListIds;
}

/**
 * The list of the current query (`frame`) and the list to show: the previous one until the new one has loaded, none
 * after an error. Announces the number of results when the query changes.
 */
export function useSearchResults(arg: PhonesArg, topics?: readonly string[]) {
  const frame = useListIds(phoneList, arg, topics);
  const last = useRef<LoadedResults | null>(null);
  if (frame.ids) last.current = { arg, frame };
  useAnnounceCount(arg.find, frame);
  return { frame, shown: frame.error === undefined ? last.current : null };
}

function useAnnounceCount(find: string, frame: ListIds): void {
  const announce = useAnnounce();
  const said = useRef(find);
  const counted = frame.ids && countText(frame, find !== "");
  const correction = correctionOf(find, frame);
  const found =
    counted && (correction ? `${t.corrected(correction)} ${t.phonesFound(counted)}` : t.phonesFound(counted));
  useEffect(() => {
    if (found === undefined || said.current === find) return;
    said.current = find;
    announce(found);
  }, [find, found, announce]);
}
