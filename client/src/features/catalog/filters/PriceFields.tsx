import { useEffect, useRef } from "react";
import { priceOf } from "@/lib/productQuery";
import { dollars } from "@/texts/money";
import * as t from "@/texts/search";
import { Field } from "@/ui";
import { priceProblem } from "@/ui/priceProblem";
import type { Fields } from "./FilterFields";
import { isPriceRangeReversed } from "./useFilterForm";

/** The lowest and the highest price, with a message if one is no price, or if the range is reversed. */
export function PriceFields({ draft, type }: Pick<Fields, "draft" | "type">) {
  const isReversed = isPriceRangeReversed(draft);
  const [minProblem, maxProblem] = [priceProblem(draft.minPrice), priceProblem(draft.maxPrice)];
  const isWrong = isReversed || Boolean(minProblem ?? maxProblem);
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
        error={minProblem ?? (isReversed ? t.atMost(dollars(priceOf(draft.maxPrice))) : undefined)}
        onType={(minPrice) => type({ minPrice })}
      />
      <Price
        label={t.priceTo}
        name="maxPrice"
        value={draft.maxPrice}
        error={maxProblem ?? (isReversed ? t.atLeast(dollars(priceOf(draft.minPrice))) : undefined)}
        onType={(maxPrice) => type({ maxPrice })}
      />
    </div>
  );
}

interface PriceProps {
  label: string;
  name: string;
  value: string;
  error: string | undefined;
  onType: (value: string) => void;
}

/** A price as people write it. Nothing that is typed disappears. */
function Price({ onType, error, ...field }: PriceProps) {
  return (
    <Field
      {...field}
      {...(error !== undefined && { error })}
      inputMode="decimal"
      autoComplete="off"
      placeholder="$"
      maxLength={30}
      onChange={(event) => onType(event.target.value)}
      className="tabular-nums"
    />
  );
}
