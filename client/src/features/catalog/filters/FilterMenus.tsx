import * as t from "@/texts/search";
import {
  AvailableField,
  BrandFields,
  ColourFields,
  ConditionFields,
  type Fields,
  LocationField,
  StorageField,
  VerifiedField,
} from "./FilterFields";
import { FilterMenu } from "./FilterMenu";
import { PriceFields } from "./PriceFields";

/** All filters in one line, for a wide screen: those with several values in menus. */
export function FilterMenus(fields: Fields) {
  const { draft, brands, hasLocation } = fields;
  return (
    <>
      {brands && (
        <FilterMenu label={t.brand} isSet={draft.brands.length > 0}>
          <div className="columns-2 gap-6">
            <BrandFields {...fields} />
          </div>
        </FilterMenu>
      )}
      <FilterMenu label={t.price} isSet={draft.minPrice !== "" || draft.maxPrice !== ""}>
        <PriceFields {...fields} />
      </FilterMenu>
      <FilterMenu label={t.condition} isSet={draft.conditions.length > 0}>
        <ConditionFields {...fields} />
      </FilterMenu>
      <div className="w-36 [&_label]:sr-only">
        <StorageField {...fields} className="h-11! ps-3! pe-9! text-sm" />
      </div>
      <div className="flex h-11 items-center overflow-hidden rounded-sm border border-edge bg-surface px-2.5">
        <AvailableField {...fields} />
      </div>
      <FilterMenu
        label={t.moreFilters}
        isSet={draft.verified !== null || draft.colours.length > 0 || draft.location.trim() !== ""}
        isLast
      >
        <div className="grid gap-3">
          <VerifiedField {...fields} />
          <ColourFields {...fields} />
          {hasLocation && <LocationField {...fields} />}
        </div>
      </FilterMenu>
    </>
  );
}
