import type { ReactNode } from "react";
import { type Brand, CONDITIONS } from "@/api/types";
import { MAX_PRICE, MAX_TEXT_LENGTH, parseDollars } from "@/lib/productQuery";
import * as t from "@/texts/find";
import { money } from "@/texts/language";
import { Field, Select } from "@/ui";
import { ConditionDots } from "../cards/Condition";
import { FilterCheckbox } from "./FilterCheckbox";
import { type FilterValues, isTurnedRound } from "./useFilterForm";

/** The least storage that can be chosen, GB. */
const STORAGES = [32, 64, 128, 256, 512];

/** The fields of a filter bar and what happens to them. */
export interface Fields {
  draft: FilterValues;
  type: (part: Partial<FilterValues>) => void;
  choose: (part: Partial<FilterValues>) => void;
  /** To choose among; null on a brand's own screen. */
  brands: readonly Brand[] | null;
  /** Whether a location may be asked for. */
  hasLocation: boolean;
}

/** All filters, one group below the other. */
export function FilterFields(fields: Fields) {
  const { draft, choose, type, brands, hasLocation } = fields;
  return (
    <div className="grid gap-6">
      {brands && <Brands {...fields} brands={brands} />}
      <Prices draft={draft} type={type} />
      <Group title={t.condition}>
        {CONDITIONS.map((one) => (
          <FilterCheckbox
            key={one}
            name="condition"
            value={one}
            checked={draft.conditions.includes(one)}
            onChange={() => choose({ conditions: toggled(draft.conditions, one) })}
            aside={<ConditionDots of={one} />}
          >
            {one}
          </FilterCheckbox>
        ))}
      </Group>
      <Select
        label={t.storage}
        name="minStorage"
        value={draft.minStorage}
        onChange={(event) => choose({ minStorage: Number(event.target.value) })}
      >
        <option value={0}>{t.anyStorage}</option>
        {STORAGES.map((size) => (
          <option key={size} value={size}>
            {t.storageFrom(size)}
          </option>
        ))}
      </Select>
      <Group title={t.only}>
        <FilterCheckbox
          name="available"
          checked={draft.available === true}
          onChange={(checked) => choose({ available: checked || null })}
        >
          {t.availableOnly}
        </FilterCheckbox>
        <FilterCheckbox
          name="verified"
          checked={draft.verified === true}
          onChange={(checked) => choose({ verified: checked || null })}
        >
          {t.verifiedOnly}
        </FilterCheckbox>
      </Group>
      {hasLocation && (
        <Field
          label={t.location}
          name="location"
          autoComplete="off"
          placeholder={t.locationHint}
          maxLength={MAX_TEXT_LENGTH}
          value={draft.location}
          onChange={(event) => type({ location: event.target.value })}
        />
      )}
    </div>
  );
}

const toggled = (among: readonly string[], one: string) =>
  among.includes(one) ? among.filter((other) => other !== one) : [...among, one];

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-bold">{title}</legend>
      {children}
    </fieldset>
  );
}

/** As high before the brands are known. */
function Brands({ draft, choose, brands }: Pick<Fields, "draft" | "choose"> & { brands: readonly Brand[] }) {
  return (
    <Group title={t.brand}>
      <div className="-mx-2.5 h-60 overflow-y-auto px-2.5 max-xl:h-auto max-xl:min-h-60 max-xl:columns-2 max-xl:gap-6">
        {brands.map(({ _id, name }) => (
          <FilterCheckbox
            key={_id}
            name="brand"
            value={_id}
            checked={draft.brands.includes(_id)}
            onChange={() => choose({ brands: toggled(draft.brands, _id) })}
          >
            {name}
          </FilterCheckbox>
        ))}
      </div>
    </Group>
  );
}

function Prices({ draft, type }: Pick<Fields, "draft" | "type">) {
  const isWrong = isTurnedRound(draft);
  return (
    <div className="grid grid-cols-2 gap-3">
      <Price
        label={t.priceFrom}
        name="minPrice"
        value={draft.minPrice}
        error={isWrong ? t.atMost(money(parseDollars(draft.maxPrice))) : undefined}
        onType={(minPrice) => type({ minPrice })}
      />
      <Price
        label={t.priceTo}
        name="maxPrice"
        value={draft.maxPrice}
        error={isWrong ? t.atLeast(money(parseDollars(draft.minPrice))) : undefined}
        onType={(maxPrice) => type({ maxPrice })}
      />
    </div>
  );
}

interface PriceProps {
  label: string;
  name: string;
  value: string;
  error?: string;
  onType: (value: string) => void;
}

/** A price in whole dollars; anything but digits is not taken. */
function Price({ onType, ...field }: PriceProps) {
  return (
    <Field
      {...field}
      inputMode="numeric"
      autoComplete="off"
      placeholder="$"
      maxLength={String(MAX_PRICE).length}
      onChange={(event) => onType(event.target.value.replace(/\D/g, ""))}
      className="tabular-nums"
    />
  );
}
