import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { formatQuery, parseQuery, priceOf, type Query } from "@/lib/productQuery";
import { writeAfterPause } from "@/lib/searchDebounce";
import { priceProblem } from "@/ui/priceProblem";

/** The values of the fields; prices are text and may be incomplete. */
export type FilterValues = Omit<Query, "minPrice" | "maxPrice"> & { minPrice: string; maxPrice: string };

/** The values of the fields for a query. */
export const valuesOf = (query: Query): FilterValues => ({
  ...query,
  minPrice: query.minPrice ? String(query.minPrice) : "",
  maxPrice: query.maxPrice ? String(query.maxPrice) : "",
});

const queryOf = (draft: FilterValues): Query => ({
  ...draft,
  minPrice: appliedPrice(draft.minPrice),
  maxPrice: isPriceRangeReversed(draft) ? 0 : appliedPrice(draft.maxPrice),
});

/** The price of a field; 0 if it is empty or wrong. */
const appliedPrice = (typed: string) => (priceProblem(typed) ? 0 : priceOf(typed));

/** Whether the lowest price is above the highest; the highest is not applied then. */
export function isPriceRangeReversed({ minPrice, maxPrice }: FilterValues): boolean {
  return appliedPrice(maxPrice) > 0 && appliedPrice(maxPrice) < appliedPrice(minPrice);
}

/** The query as it will be read back from the address, without invalid values. */
const normalized = (query: Query) => formatQuery(parseQuery(formatQuery(query)));

/**
 * The values of a filter bar. Typing updates the address after a pause and replaces the history entry; choosing
 * updates it at once with a new entry. When the address changes by navigation (back, a link), the values follow it.
 */
export function useFilterForm(query: Query, change: (next: Query, replace: boolean) => void) {
  const [draft, setDraft] = useState(() => valuesOf(query));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Queries that were written to the address and not read back yet, oldest first. */
  const pendingQueries = useRef<string[]>([]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const addressQuery = formatQuery(query);
  const [lastAddressQuery, setLastAddressQuery] = useState(addressQuery);
  if (addressQuery !== lastAddressQuery) {
    setLastAddressQuery(addressQuery);
    // Not while the user types: the address lags behind then.
    if (timer.current === undefined && !pendingQueries.current.includes(addressQuery))
      setDraft(valuesOf(query));
  }
  const latest = useRef({ addressQuery, change });
  useLayoutEffect(() => {
    latest.current = { addressQuery, change };
  });
  useLayoutEffect(() => {
    const index = pendingQueries.current.indexOf(addressQuery);
    pendingQueries.current = index < 0 ? [] : pendingQueries.current.slice(index + 1);
  }, [addressQuery]);

  const send = (next: FilterValues, replace: boolean) => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const nextQuery = queryOf(next);
    const nextAddressQuery = normalized(nextQuery);
    if (nextAddressQuery !== latest.current.addressQuery) pendingQueries.current.push(nextAddressQuery);
    latest.current.change(nextQuery, replace);
  };
  const type = (part: Partial<FilterValues>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    clearTimeout(timer.current);
    timer.current = writeAfterPause(
      () => send(next, true),
      () => {
        timer.current = undefined;
      },
    );
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
    /** Starts the search at once. */
    flush: () => send(draft, true),
  };
}
