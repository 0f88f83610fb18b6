import { useEffect, useRef } from "react";
import { type ListFrame, useListFrame } from "@/api/useListFrame";
import * as t from "@/texts/find";
import { useAnnounce } from "@/ui";
import { countIn } from "./Found";
import { type PhonesArg, phoneList } from "./phones";

/** A list, and what was asked for to get it. */
export interface Answered {
  arg: PhonesArg;
  frame: ListFrame;
}

/**
 * The list that is looked for, and beside it the one to show: until the answer is there that of the question
 * before, none after a failure. Says how many there are whenever something else was looked for.
 */
export function useFound(arg: PhonesArg, topics?: readonly string[]) {
  const frame = useListFrame(phoneList, arg, topics);
  const last = useRef<Answered | null>(null);
  if (frame.ids) last.current = { arg, frame };
  useSaidCount(arg.find, frame);
  return { frame, shown: frame.error === undefined ? last.current : null };
}

function useSaidCount(find: string, frame: ListFrame): void {
  const announce = useAnnounce();
  const said = useRef(find);
  const counted = frame.ids && countIn(frame, find !== "");
  useEffect(() => {
    if (counted === undefined || said.current === find) return;
    said.current = find;
    announce(t.found(counted));
  }, [find, counted, announce]);
}
