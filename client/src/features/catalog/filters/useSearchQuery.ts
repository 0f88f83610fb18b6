import { useCallback, useMemo } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { EVERYTHING, type Query, readQuery, words, writeQuery } from "@/lib/productQuery";

/** Filters that not every screen has: brands on /search only, a location for signed-in users only. */
export interface AllowedFilters {
  brands: boolean;
  location: boolean;
}

/** The query in the address, and a function that changes it. */
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
  // Normalized, so that the same words share one list in the cache.
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
