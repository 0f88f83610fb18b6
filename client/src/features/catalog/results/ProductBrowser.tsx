import { type Ref, useMemo, useRef } from "react";
import type { Brand } from "@/api/types";
import { EVERYTHING } from "@/lib/find";
import { ActiveFilters } from "../filters/ActiveFilters";
import { FilterBar } from "../filters/FilterBar";
import { useFilterForm } from "../filters/useFilterForm";
import { useSearchQuery } from "../filters/useSearchQuery";
import type { PhonesArg } from "../phoneList";
import { countText } from "./countText";
import { SearchResults } from "./SearchResults";
import { useSearchResults } from "./useSearchResults";

interface Props {
  /** The brand's _id; null to look in the whole market. */
  brand: string | null;
  signedIn: boolean;
  /** To choose among; null on a brand's own screen. */
  brands: readonly Brand[] | null;
  /** The live topics of a list that names none itself. */
  topics?: readonly string[];
  /** The field of the words. */
  field?: Ref<HTMLInputElement>;
}

/** The filters that stand in the address, and the live list of what they find. */
export function ProductBrowser({ brand, signedIn, brands, topics, field }: Props) {
  const { query, find, change } = useSearchQuery({ brands: brands !== null, location: signedIn });
  const { draft, type, choose, flush } = useFilterForm(query, change);
  const arg = useMemo<PhonesArg>(() => ({ brand, find, signedIn }), [brand, find, signedIn]);
  const found = useSearchResults(arg, topics);
  const top = useRef<HTMLDivElement>(null);
  const fields = {
    draft,
    brands,
    hasLocation: signedIn,
    type,
    choose: (part: Partial<typeof draft>) => {
      // Whoever has gone down the list begins anew with what they choose.
      const list = top.current;
      if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView({ behavior: "instant" });
      choose(part);
    },
  };
  const { text, sort } = draft;
  return (
    <FilterBar
      {...fields}
      query={query}
      flush={flush}
      field={field}
      onClear={() => fields.choose({ ...EVERYTHING, text, sort, minPrice: "", maxPrice: "" })}
      counted={found.frame.ids && countText(found.frame, find !== "")}
    >
      <div ref={top} className="scroll-mt-44 xl:scroll-mt-20">
        <SearchResults
          {...found}
          chips={<ActiveFilters {...fields} />}
          onClear={() => fields.choose({ ...EVERYTHING, minPrice: "", maxPrice: "" })}
        />
      </div>
    </FilterBar>
  );
}
