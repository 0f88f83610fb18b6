import { type Brand, CONDITIONS } from "@/api/types";
import { parseDollars } from "@/lib/productQuery";
import { money } from "@/texts/language";
import * as t from "@/texts/search";
import { Button, cx } from "@/ui";
import { CloseIcon } from "@/ui/icons";
import type { Fields } from "./FilterFields";
import { type FilterValues, isTurnedRound } from "./useFilterForm";

/** One filter that is set. */
interface Active {
  name: string;
  /** The values that remove it. */
  without: Partial<FilterValues>;
}

function activeOf(draft: FilterValues, brands: readonly Brand[]): Active[] {
  const { minPrice, maxPrice, minStorage, location, verified, available } = draft;
  const active: Active[] = [];
  for (const { _id, name } of brands) {
    if (draft.brands.includes(_id))
      active.push({ name, without: { brands: draft.brands.filter((id) => id !== _id) } });
  }
  if (parseDollars(minPrice) > 0)
    active.push({ name: t.from(money(parseDollars(minPrice))), without: { minPrice: "" } });
  if (parseDollars(maxPrice) > 0 && !isTurnedRound(draft))
    active.push({ name: t.upTo(money(parseDollars(maxPrice))), without: { maxPrice: "" } });
  for (const name of CONDITIONS) {
    const conditions = draft.conditions.filter((other) => other !== name);
    if (conditions.length < draft.conditions.length) active.push({ name, without: { conditions } });
  }
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
  /** For an empty result: the search words too, and all in sight. */
  isWhole?: boolean;
  /** Removes all filters, by a button after the last one. */
  onClear?: () => void;
}

/**
 * The active filters, each with a button that removes it; in one line that scrolls sideways, so that its height is
 * always the same.
 */
export function ActiveFilters({ draft, choose, brands, isWhole = false, onClear }: Props) {
  const words = draft.text.trim();
  const active = activeOf(draft, brands ?? []);
  if (isWhole && words) active.unshift({ name: t.searchedWords(words), without: { text: "" } });
  if (active.length === 0) return null;
  return (
    <ul
      aria-label={t.activeFilters}
      className={cx(
        "flex min-w-0 gap-1.5",
        isWhole ? "flex-wrap justify-center" : "flex-1 overflow-x-auto [scrollbar-width:none]",
      )}
    >
      {active.map(({ name, without }) => (
        <li key={name} className="shrink-0">
          <button
            type="button"
            aria-label={t.removeFilter(name)}
            onClick={() => choose(without)}
            className="inline-flex min-h-9 max-w-56 items-center gap-1.5 rounded-full border border-transparent bg-brand-soft ps-3.5 pe-2.5 font-semibold text-brand text-sm transition-colors hover:border-brand"
          >
            <span className="truncate">{name}</span>
            <CloseIcon className="size-4 shrink-0" />
          </button>
        </li>
      ))}
      {onClear && (
        <li className="shrink-0">
          <Button variant="quiet" size="sm" onClick={onClear}>
            {t.clearFilters}
          </Button>
        </li>
      )}
    </ul>
  );
}
