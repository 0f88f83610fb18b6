import { useCallback, useMemo } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { EVERYTHING, type Query, readQuery, words, writeQuery } from "@/lib/find";

/** What may be asked for here beside the rest: brands on the market's screen, a location by whoever is signed in. */
export interface AllowedFilters {
  brands: boolean;
  location: boolean;
}

/** What the address looks for, and how to look for something else. */
export function useSearchQuery({ brands, location }: AllowedFilters) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const query = useMemo(() => {
    const asked = readQuery(search);
    return {
      ...asked,
      brands: brands ? asked.brands : EVERYTHING.brands,
      location: location ? asked.location : EVERYTHING.location,
    };
  }, [search, brands, location]);
  // The same for all ways to type the same words: one list in the cache.
  const find = writeQuery({
    ...query,
    text: words(query.text).join(" "),
    location: words(query.location).join(" "),
  });
  const change = useCallback(
    (next: Query, replace: boolean) => {
      const text = writeQuery(next);
      void navigate({ search: text && `?${text}` }, { replace });
    },
    [navigate],
  );
  return { query, find, change };
}
