import { useCallback, useMemo } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { EMPTY_QUERY, formatQuery, parseQuery, type Query, tokenize } from "@/lib/productQuery";

/** Filters that not every screen has: brands on /search only, a location for signed-in users only. */
interface AllowedFilters {
  brands: boolean;
  location: boolean;
}

/** The query in the address, and a function that changes it. */
export function useSearchQuery({ brands, location }: AllowedFilters) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const query = useMemo(() => {
    const asked = parseQuery(search);
    return {
      ...asked,
      brands: brands ? asked.brands : EMPTY_QUERY.brands,
      location: location ? asked.location : EMPTY_QUERY.location,
    };
  }, [search, brands, location]);
  // Normalized, so that the same words share one list in the cache.
  const queryString = formatQuery({
    ...query,
    text: tokenize(query.text).join(" "),
    location: tokenize(query.location).join(" "),
  });
  const change = useCallback(
    (next: Query, replace: boolean) => {
      const text = formatQuery(next);
      void navigate({ search: text && `?${text}` }, { replace });
    },
    [navigate],
  );
  return { query, queryString, change };
}
