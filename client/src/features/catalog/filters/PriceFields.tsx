import { useEffect, useRef } from "react";
import { parseDollars } from "@/lib/productQuery";
import { MAX_PRICE } from "@/lib/productRules";
import { dollars } from "@/texts/money";
import * as t from "@/texts/search";
import { Field } from "@/ui";
import type { Fields } from "./FilterFields";
import { isPriceRangeReversed } from "./useFilterForm";

/** The lowest and the highest price, with a message if the range is reversed. */
export function PriceFields({ draft, type }: Pick<Fields, "draft" | "type">) {
  const isWrong = isPriceRangeReversed(draft);
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In the sheet the message could be behind its buttons.
    if (isWrong) fields.current?.scrollIntoView?.({ block: "nearest" });
  }, [isWrong]);
  return (
    <div ref={fields} className="grid grid-cols-2 gap-3">
      <Price
        label={t.priceFrom}
        name="minPrice"
        value={draft.minPrice}
        error={isWrong ? t.atMost(dollars(parseDollars(draft.maxPrice))) : undefined}
        onType={(minPrice) => type({ minPrice })}
      />
      <Price
        label={t.priceTo}
        name="maxPrice"
        value={draft.maxPrice}
        error={isWrong ? t.atLeast(dollars(parseDollars(draft.minPrice))) : undefined}
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

/** A price in whole dollars; anything but digits is rejected. */
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
