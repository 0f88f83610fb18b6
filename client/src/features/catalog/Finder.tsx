import { type Ref, useMemo, useRef } from "react";
import type { Brand } from "@/api/types";
import { EVERYTHING } from "@/lib/find";
import { ActiveFilters } from "./ActiveFilters";
import { FilterBar } from "./FilterBar";
import { countIn, Found } from "./Found";
import type { PhonesArg } from "./phones";
import { useDraft } from "./useDraft";
import { useFind } from "./useFind";
import { useFound } from "./useFound";

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
export function Finder({ brand, signedIn, brands, topics, field }: Props) {
  const { query, find, change } = useFind({ brands: brands !== null, location: signedIn });
  const { draft, type, choose, flush } = useDraft(query, change);
  const arg = useMemo<PhonesArg>(() => ({ brand, find, signedIn }), [brand, find, signedIn]);
  const found = useFound(arg, topics);
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
      counted={found.frame.ids && countIn(found.frame, find !== "")}
    >
      <div ref={top} className="scroll-mt-44 xl:scroll-mt-20">
        <Found
          {...found}
          chips={<ActiveFilters {...fields} />}
          onClear={() => fields.choose({ ...EVERYTHING, minPrice: "", maxPrice: "" })}
        />
      </div>
    </FilterBar>
  );
}
