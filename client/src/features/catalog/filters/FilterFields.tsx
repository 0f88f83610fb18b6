import type { Brand } from "@/api/types";
import { COLOURS, colourKey, MAX_TEXT_LENGTH, type Sort } from "@/lib/productQuery";
import { CONDITIONS } from "@/lib/productRules";
import { conditionMeans } from "@/texts/condition";
import * as t from "@/texts/search";
import { Field, Options, Select } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { ConditionDots } from "../cards/Condition";
import { FilterCheckbox } from "./FilterCheckbox";
import { PriceFields } from "./PriceFields";
import type { FilterValues } from "./useFilterForm";

/** The least storage that can be chosen, GB. */
const STORAGE_FILTERS = [32, 64, 128, 256, 512];

/** How many of COLOURS can be chosen. */
const COLOUR_FILTERS = 10;

/** The fields of a filter bar and the functions that change them. */
export interface Fields {
  draft: FilterValues;
  type: (part: Partial<FilterValues>) => void;
  choose: (part: Partial<FilterValues>) => void;
  /** The brands to choose from; null on a brand's own screen. */
  brands: readonly Brand[] | null;
  /** Whether there is a filter by location. */
  hasLocation: boolean;
}

/** The sort order and all filters, one group below the other. */
export function FilterFields(fields: Fields) {
  const { brands, hasLocation } = fields;
  return (
    <div className="grid gap-6">
      {/* From this width on it is in the bar. */}
      <div className="sm:hidden">
        <SortField {...fields} />
      </div>
      {brands && (
        <Group title={t.brand}>
          <div className="min-h-60 columns-2 gap-6">
            <BrandFields {...fields} />
          </div>
        </Group>
      )}
      <PriceFields {...fields} />
      <Group title={t.condition}>
        <ConditionFields {...fields} />
      </Group>
      <StorageField {...fields} />
      <ColourFields {...fields} />
      <Group title={t.showOnly}>
        <AvailableField {...fields} />
        <VerifiedField {...fields} />
      </Group>
      {hasLocation && <LocationField {...fields} />}
    </div>
  );
}

function Group({ title, children }: { title: string; children: Elements }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-bold">{title}</legend>
      {children}
    </fieldset>
  );
}

const toggled = (among: readonly string[], one: string) =>
  among.includes(one) ? among.filter((other) => other !== one) : [...among, one];

export function BrandFields({ draft, choose, brands }: Fields) {
  return brands?.map(({ _id, name }) => (
    <FilterCheckbox
      key={_id}
      name="brand"
      value={_id}
      checked={draft.brands.includes(_id)}
      onChange={() => choose({ brands: toggled(draft.brands, _id) })}
    >
      {name}
    </FilterCheckbox>
  ));
}

export function ConditionFields({ draft, choose }: Fields) {
  return CONDITIONS.map((one) => (
    <FilterCheckbox
      key={one}
      name="condition"
      value={one}
      checked={draft.conditions.includes(one)}
      onChange={() => choose({ conditions: toggled(draft.conditions, one) })}
      hint={conditionMeans[one]}
      aside={<ConditionDots of={one} />}
    >
      {one}
    </FilterCheckbox>
  ));
}

export function StorageField({ draft, choose, className }: Fields & { className?: string }) {
  return (
    <Select
      label={t.storage}
      name="minStorage"
      value={draft.minStorage}
      onChange={(event) => choose({ minStorage: Number(event.target.value) })}
      className={className}
    >
      <option value={0}>{t.anyStorage}</option>
      {STORAGE_FILTERS.map((size) => (
        <option key={size} value={size}>
          {t.storageFrom(size)}
        </option>
      ))}
    </Select>
  );
}

export function ColourFields({ draft, choose }: Fields) {
  const toggle = (colour: string) => {
    const others = draft.colours.filter((other) => colourKey(other) !== colour);
    choose({ colours: others.length < draft.colours.length ? others : [...others, colour] });
  };
  return (
    <Group title={t.colour}>
      <div className="columns-2 gap-6">
        {COLOURS.slice(0, COLOUR_FILTERS).map((colour) => (
          <FilterCheckbox
            key={colour}
            name="colour"
            value={colour}
            checked={draft.colours.some((other) => colourKey(other) === colour)}
            onChange={() => toggle(colour)}
          >
            {t.colourOf(colour)}
          </FilterCheckbox>
        ))}
      </div>
    </Group>
  );
}

export function AvailableField({ draft, choose }: Fields) {
  return (
    <FilterCheckbox
      name="available"
      checked={draft.available === true}
      onChange={(checked) => choose({ available: checked || null })}
    >
      {t.availableOnly}
    </FilterCheckbox>
  );
}

export function VerifiedField({ draft, choose }: Fields) {
  return (
    <FilterCheckbox
      name="verified"
      checked={draft.verified === true}
      onChange={(checked) => choose({ verified: checked || null })}
    >
      {t.verifiedOnly}
    </FilterCheckbox>
  );
}

export function LocationField({ draft, type }: Fields) {
  return (
    <Field
      label={t.location}
      name="location"
      autoComplete="off"
      placeholder={t.locationHint}
      maxLength={MAX_TEXT_LENGTH}
      value={draft.location}
      onChange={(event) => type({ location: event.target.value })}
    />
  );
}

export function SortField({ draft, choose, className }: Fields & { className?: string }) {
  return (
    <Select
      label={t.sortBy}
      name="sort"
      value={draft.sort}
      onChange={(event) => choose({ sort: event.target.value as Sort })}
      className={className}
    >
      <Options labels={t.sortLabels} />
    </Select>
  );
}
