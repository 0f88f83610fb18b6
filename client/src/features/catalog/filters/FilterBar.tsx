import { type ReactNode, type Ref, useState } from "react";
import { countFilters, MAX_TEXT_LENGTH, type Query, type Sort } from "@/lib/productQuery";
import * as t from "@/texts/find";
import { Button, cx, Field, Options, Select } from "@/ui";
import { FilterIcon } from "@/ui/icons";
import { type Fields, FilterFields } from "./FilterFields";
import { FilterSheet } from "./FilterSheet";

interface Props extends Fields {
  query: Query;
  flush: () => void;
  onClear: () => void;
  /** The number of results as text; undefined while loading. */
  counted: string | undefined;
  /** The search field. */
  field?: Ref<HTMLInputElement>;
  /** The results, shown beside the filters. */
  children: ReactNode;
}

/**
 * The search field, filters and sort order beside the results. On narrow screens the filters are a dialog; its
 * button and the sort order stay visible while scrolling.
 */
export function FilterBar({ query, flush, onClear, counted, field, children, ...fields }: Props) {
  const [open, setOpen] = useState(false);
  const { draft, type, choose } = fields;
  const count = countFilters(query);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-7 gap-y-4 xl:grid-cols-[14rem_minmax(0,1fr)_15rem]">
      <form
        aria-label={t.filterPhones}
        className="contents"
        onSubmit={(event) => {
          event.preventDefault();
          flush();
        }}
      >
        <div className="xl:col-start-2">
          <Field
            ref={field}
            label={t.words}
            name="q"
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            placeholder={fields.brands ? t.wordsHint : t.wordsHintOfBrand}
            maxLength={MAX_TEXT_LENGTH}
            value={draft.text}
            onChange={(event) => type({ text: event.target.value })}
          />
        </div>
        <aside className="max-xl:hidden xl:sticky xl:top-20 xl:row-span-3 xl:row-start-1 xl:grid xl:-mx-2.5 xl:max-h-[calc(100dvh-6rem)] xl:gap-6 xl:overflow-y-auto xl:overscroll-contain xl:px-2.5 xl:pb-4">
          <div className="flex min-h-9 items-center justify-between">
            <h2 className="font-extrabold text-xl">{t.filters}</h2>
            <Button variant="quiet" size="sm" className={cx(count === 0 && "invisible")} onClick={onClear}>
              {t.clearFilters}
            </Button>
          </div>
          <FilterFields {...fields} />
        </aside>
        <div className="sticky top-16 z-20 -mx-page grid grid-cols-2 items-end gap-3 bg-ground/95 px-page py-2 backdrop-blur xl:static xl:mx-0 xl:grid-cols-1 xl:bg-transparent xl:p-0 xl:backdrop-blur-none">
          <Button
            variant="secondary"
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
            className="min-h-12 xl:hidden"
          >
            <FilterIcon />
            {t.filtersSet(count)}
          </Button>
          <SortField value={draft.sort} onChoose={(sort) => choose({ sort })} />
        </div>
      </form>
      <div className="grid min-w-0 gap-6 xl:col-span-2 xl:col-start-2">{children}</div>
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

function SortField({ value, onChoose }: { value: Sort; onChoose: (sort: Sort) => void }) {
  return (
    // There is no space for the label beside the button.
    <div className="max-xl:[&_label]:sr-only">
      <Select
        label={t.sortBy}
        name="sort"
        value={value}
        onChange={(event) => onChoose(event.target.value as Sort)}
      >
        <Options of={t.sorts} />
      </Select>
    </div>
  );
}
