import type { Brand } from "@/api/types";
import { priceOf } from "@/lib/productQuery";
import { CONDITIONS } from "@/lib/productRules";
import { dollars } from "@/texts/money";
import * as t from "@/texts/search";
import { Button, cx } from "@/ui";
import { CloseIcon } from "@/ui/icons";
import { priceProblem } from "@/ui/priceProblem";
import type { Fields } from "./FilterFields";
import { type FilterValues, isPriceRangeReversed } from "./useFilterForm";

/** One filter that is set. */
interface Active {
  name: string;
  /** It is typed, but not applied. */
  isWrong?: boolean;
  /** The values that remove it. */
  without: Partial<FilterValues>;
}

function activeOf(draft: FilterValues, brands: readonly Brand[]): Active[] {
  const { minPrice, maxPrice, minStorage, storage, colours, location, verified, available } = draft;
  const active: Active[] = [];
  for (const { _id, name } of brands) {
    if (draft.brands.includes(_id))
      active.push({ name, without: { brands: draft.brands.filter((id) => id !== _id) } });
  }
  if (priceOf(minPrice) > 0 && !priceProblem(minPrice))
    active.push({ name: t.from(dollars(priceOf(minPrice))), without: { minPrice: "" } });
  if (isPriceRangeReversed(draft)) {
    // The first, because the user has to correct it.
    const name = t.upToNotApplied(dollars(priceOf(maxPrice)));
    active.unshift({ name, isWrong: true, without: { maxPrice: "" } });
  } else if (priceOf(maxPrice) > 0 && !priceProblem(maxPrice)) {
    active.push({ name: t.upTo(dollars(priceOf(maxPrice))), without: { maxPrice: "" } });
  }
  for (const field of ["maxPrice", "minPrice"] as const) {
    if (priceProblem(draft[field]))
      active.unshift({ name: t.priceNotApplied(draft[field]), isWrong: true, without: { [field]: "" } });
  }
  for (const name of CONDITIONS) {
    const conditions = draft.conditions.filter((other) => other !== name);
    if (conditions.length < draft.conditions.length) active.push({ name, without: { conditions } });
  }
  for (const size of storage) {
    const without = { storage: storage.filter((other) => other !== size) };
    active.push({ name: t.storageOf(size), without });
  }
  for (const colour of colours)
    active.push({
      name: t.colourOf(colour),
      without: { colours: colours.filter((other) => other !== colour) },
    });
  if (minStorage > 0) active.push({ name: t.storageFrom(minStorage), without: { minStorage: 0 } });
  if (available !== null)
    active.push({ name: available ? t.availableOnly : t.booked, without: { available: null } });
  if (verified !== null)
    active.push({ name: verified ? t.verifiedOnly : t.notVerified, without: { verified: null } });
  const place = location.trim();
  if (place) active.push({ name: t.inLocation(place), without: { location: "" } });
  return active;
}

interface Props extends Pick<Fields, "draft" | "choose" | "brands"> {
  /** For an empty result: includes the search words, and wraps. */
  includesWords?: boolean;
  /** Removes all filters, by a button after the line. */
  onClear?: () => void;
}

/**
 * The active filters, each with a button that removes it. On a wide screen they are in one line that scrolls sideways
 * beside the button that removes all. On a narrow one they wrap in a row of their own, below the count. That row is as
 * wide as the whole bar, so a button that appears beside the count does not make them wrap again.
 */
export function ActiveFilters({ draft, choose, brands, includesWords = false, onClear }: Props) {
  const words = draft.text.trim();
  const active = activeOf(draft, brands ?? []);
  if (includesWords && words) active.unshift({ name: t.searchedWords(words), without: { text: "" } });
  if (active.length === 0) return null;
  const list = (
    <ul
      aria-label={t.activeFilters}
      className={cx(
        "flex min-w-0 gap-1.5",
        includesWords
          ? "flex-wrap justify-center"
          : "max-lg:contents lg:overflow-x-auto lg:[scrollbar-width:none]",
      )}
    >
      {active.map(({ name, isWrong, without }) => (
        <li key={name} className="max-w-full shrink-0">
          <button
            type="button"
            aria-label={t.removeFilter(name)}
            onClick={() => choose(without)}
            className={cx(
              "inline-flex min-h-9 max-w-[min(14rem,100%)] items-center gap-1.5 rounded-full border border-transparent ps-3.5 pe-2.5 font-semibold text-sm transition-colors",
              isWrong
                ? "bg-danger-soft text-danger hover:border-danger"
                : "bg-brand-soft text-brand hover:border-brand",
            )}
          >
            <span className="truncate">{name}</span>
            <CloseIcon className="size-4 shrink-0" />
          </button>
        </li>
      ))}
    </ul>
  );
  if (!onClear) return list;
  return (
    <div className="flex min-w-0 flex-1 items-start gap-1.5 max-lg:flex-wrap max-lg:col-span-full max-lg:row-start-2 max-lg:w-[100cqw]">
      {list}
      <Button variant="quiet" size="sm" className="shrink-0 max-sm:px-2!" onClick={onClear}>
        {t.clearFilters}
      </Button>
    </div>
  );
}
