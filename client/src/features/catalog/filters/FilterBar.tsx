import { type ReactNode, type Ref, useState } from "react";
import { countFilters, MAX_TEXT_LENGTH, type Query } from "@/lib/productQuery";
import * as t from "@/texts/search";
import { Button, Field } from "@/ui";
import { FilterIcon } from "@/ui/icons";
import { type Fields, SortField } from "./FilterFields";
import { FilterMenus } from "./FilterMenus";
import { FilterSheet } from "./FilterSheet";

interface Props extends Fields {
  query: Query;
  flush: () => void;
  onClear: () => void;
  /** The number of results as text; undefined while loading. */
  counted: string | undefined;
  /** The search field. */
  field?: Ref<HTMLInputElement>;
  /** The results, below the bar. */
  children: ReactNode;
}

/**
 * The search field, filters and sort order in one line that stays visible while the results below it scroll. On
 * narrow screens the filters are a dialog, and the narrowest have the sort order there too.
 */
export function FilterBar({ query, flush, onClear, counted, field, children, ...fields }: Props) {
  const [open, setOpen] = useState(false);
  const { draft, type, brands } = fields;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <form
        aria-label={t.filterPhones}
        className="sticky top-16 z-20 -mx-page flex items-start gap-2 bg-ground/95 px-page py-2 backdrop-blur"
        onSubmit={(event) => {
          event.preventDefault();
          flush();
        }}
      >
        <div className="min-w-0 flex-1 [&_label]:sr-only">
          <Field
            ref={field}
            label={t.searchWords}
            name="q"
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            placeholder={brands ? t.searchHint : t.searchHintOfBrand}
            maxLength={MAX_TEXT_LENGTH}
            value={draft.text}
            onChange={(event) => type({ text: event.target.value })}
            className="h-11!"
          />
        </div>
        <div className="flex items-start gap-2 max-xl:hidden">
          <FilterMenus {...fields} />
        </div>
        <Button
          variant="secondary"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          className="whitespace-nowrap px-3.5! tabular-nums xl:hidden"
        >
          <FilterIcon />
          <span>{t.filtersSet(countFilters(query))}</span>
        </Button>
        <div className="w-46 min-w-0 max-sm:hidden [&_label]:sr-only">
          <SortField {...fields} className="h-11! ps-3! pe-9! text-sm" />
        </div>
      </form>
      <div className="grid min-w-0">{children}</div>
      <FilterSheet
        {...fields}
        open={open}
        onClose={() => setOpen(false)}
        onClear={onClear}
        counted={counted}
      />
    </div>
  );
}
