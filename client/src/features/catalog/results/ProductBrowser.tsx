import { type RefObject, useMemo, useRef } from "react";
import { useOwnBookings } from "@/api/bookings";
import type { Brand } from "@/api/types";
import { useOwnWaits } from "@/api/waitlist";
import { EMPTY_QUERY } from "@/lib/productQuery";
import { ActiveFilters } from "../filters/ActiveFilters";
import { FilterBar } from "../filters/FilterBar";
import { useFilterForm, valuesOf } from "../filters/useFilterForm";
import { useSearchQuery } from "../filters/useSearchQuery";
import type { PhonesArg } from "../phoneList";
import { countText } from "./countText";
import { SearchResults } from "./SearchResults";
import { filtersOfWords } from "./searchChanges";
import { useSearchResults } from "./useSearchResults";

interface Props {
  /** The brand's _id; null for the whole market. */
  brand: string | null;
  signedIn: boolean;
  /** The brands of the filter; null on a brand's own screen. */
  brands: readonly Brand[] | null;
  /** The live topics of a list whose response names none. */
  topics?: readonly string[];
  /** The search field, for a screen that focuses it. */
  field?: RefObject<HTMLInputElement | null>;
}

/** The filters from the address and the live list of results. */
export function ProductBrowser({ brand, signedIn, brands, topics, field: ownField }: Props) {
  const newField = useRef<HTMLInputElement>(null);
  const field = ownField ?? newField;
  useOwnBookings();
  useOwnWaits();
  const { query, queryString, change } = useSearchQuery({ brands: brands !== null, location: signedIn });
  const { draft, type, choose, flush } = useFilterForm(query, change);
  const arg = useMemo<PhonesArg>(() => ({ brand, queryString, signedIn }), [brand, queryString, signedIn]);
  const results = useSearchResults(arg, topics);
  const top = useRef<HTMLDivElement>(null);
  const fields = {
    draft,
    brands,
    hasLocation: signedIn,
    type,
    choose: (part: Partial<typeof draft>) => {
      // After a scroll down the list, a new choice starts at the top.
      const list = top.current;
      if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView({ behavior: "instant" });
      choose(part);
    },
  };
  // The filters that the server has read in the words; the words change once one of these filters is removed.
  const fromWords = filtersOfWords(query, results.currentList);
  const made = { ...draft, ...(fromWords && valuesOf({ ...query, ...fromWords })) };
  const shown = {
    ...fields,
    draft: made,
    choose: (part: Partial<typeof draft>) => fields.choose(fromWords ? { ...made, ...part } : part),
  };
  const { text, sort } = made;
  const onClear = () => fields.choose({ ...EMPTY_QUERY, text, sort, minPrice: "", maxPrice: "" });
  return (
    <FilterBar
      {...fields}
      query={query}
      flush={flush}
      field={field}
      onClear={onClear}
      counted={results.currentList.ids && countText(results.currentList, queryString !== "")}
    >
      {/* What gets the focus comes to stand below the bar. */}
      <div ref={top} className="scroll-mt-13 [&_:is(a,button)]:scroll-mt-15">
        <SearchResults
          {...results}
          chips={<ActiveFilters {...shown} onClear={onClear} />}
          emptiedBy={<ActiveFilters {...shown} includesWords />}
          onClear={() => fields.choose({ ...EMPTY_QUERY, minPrice: "", maxPrice: "" })}
          onChangeWords={() => {
            field.current?.focus();
            field.current?.select();
          }}
        />
      </div>
    </FilterBar>
  );
}
