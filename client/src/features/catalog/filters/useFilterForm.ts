import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { dollars, type Query, readQuery, writeQuery } from "@/lib/find";

/** Milliseconds without a key before what was typed is looked for. */
export const TYPING_MS = 200;

/** What is looked for as it stands in the fields: prices may be half typed. */
export type FilterValues = Omit<Query, "minPrice" | "maxPrice"> & { minPrice: string; maxPrice: string };

const valuesOf = (query: Query): FilterValues => ({
  ...query,
  minPrice: query.minPrice ? String(query.minPrice) : "",
  maxPrice: query.maxPrice ? String(query.maxPrice) : "",
});

const queryOf = (draft: FilterValues): Query => ({
  ...draft,
  minPrice: dollars(draft.minPrice),
  maxPrice: dollars(draft.maxPrice),
});

/** A query as it comes back from the address: what cannot be asked for is left out of it. */
const normalized = (query: Query) => writeQuery(readQuery(writeQuery(query)));

/**
 * The fields of a filter bar: what is typed is looked for soon, in the same entry of the history; what is
 * chosen at once, in a new one. They answer at once, for the address follows in a render of low priority. When
 * the address changes by itself (back, a link), the fields follow it.
 */
export function useFilterForm(query: Query, change: (next: Query, replace: boolean) => void) {
  const [draft, setDraft] = useState(() => valuesOf(query));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** What was sent to the address and has not been seen there yet, oldest first. */
  const sent = useRef<string[]>([]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const now = writeQuery(query);
  const [seen, setSeen] = useState(now);
  if (now !== seen) {
    setSeen(now);
    // Not while somebody types: the address is behind their fingers then.
    if (timer.current === undefined && !sent.current.includes(now)) setDraft(valuesOf(query));
  }
  const latest = useRef({ now, change });
  useLayoutEffect(() => {
    latest.current = { now, change };
  });
  useLayoutEffect(() => {
    const place = sent.current.indexOf(now);
    sent.current = place < 0 ? [] : sent.current.slice(place + 1);
  }, [now]);

  const send = (next: FilterValues, replace: boolean) => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const wanted = queryOf(next);
    const echo = normalized(wanted);
    if (echo !== latest.current.now) sent.current.push(echo);
    latest.current.change(wanted, replace);
  };
  const type = (part: Partial<FilterValues>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(next, true), TYPING_MS);
  };
  const choose = (part: Partial<FilterValues>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    send(next, false);
  };
  return {
    draft,
    type,
    choose,
    /** Looks for what is typed at once. */
    flush: () => send(draft, true),
  };
}
