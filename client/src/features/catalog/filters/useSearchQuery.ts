import { useCallback, useMemo } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { EMPTY_QUERY, formatQuery, parseQuery, type Query } from "@/lib/productQuery";

/** Filters that not every screen has: brands on /search only, a location for signed-in users only. */
interface AllowedFilters {
  brands: boolean;
  location: boolean;
}

/** Without what makes no difference to the server. Signs do: "$300" is a price. */
const normalized = (text: string) => text.trim().replace(/\s+/g, " ").toLowerCase();

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
    text: normalized(query.text),
    location: normalized(query.location),
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
