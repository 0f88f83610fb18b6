import { type UseFormReturn, useWatch } from "react-hook-form";
import { savingPercent } from "@/lib/savingPercent";
import * as t from "@/texts/selling";
import { cx, Field } from "@/ui";
import type { FormValues } from "./formValues";
import type { PriceRange } from "./listedHere";
import { checkPrice, priceOf } from "./validation";

/** The props of a price input. A number input would lose what is typed with groups or in other digits. */
export const PRICE_INPUT_PROPS = {
  inputMode: "decimal",
  autoComplete: "off",
  maxLength: 30,
  affix: t.dollar,
} as const;

interface Props {
  form: UseFormReturn<FormValues>;
  /** What phones with the same name, and if possible the same storage, cost here. */
  listed: PriceRange | null;
}

/** Both prices, and the saving that buyers will see. */
export function Prices({ form, listed }: Props) {
  const { register, formState, control } = form;
  const { errors } = formState;
  const [original, resale] = useWatch({ control, name: ["originalPrice", "resalePrice"] });
  return (
    <>
      <Field
        label={t.labels.resalePrice}
        note={listed && <p className="text-muted text-sm">{t.listedHere(listed)}</p>}
        {...PRICE_INPUT_PROPS}
        error={errors.resalePrice?.message}
        {...register("resalePrice", { validate: checkPrice })}
      />
      <Field
        label={t.labels.originalPrice}
        {...PRICE_INPUT_PROPS}
        error={errors.originalPrice?.message}
        {...register("originalPrice", { validate: checkPrice })}
      />
      <Saving original={original} resale={resale} />
    </>
  );
}

/** The saving. Its line is always rendered, so that nothing moves while a price is entered. */
function Saving({ original, resale }: { original: string; resale: string }) {
  const isComplete = checkPrice(original) === true && checkPrice(resale) === true;
  const saved = priceOf(original) - priceOf(resale);
  const hasSaving = isComplete && saved > 0;
  const savingText = hasSaving
    ? t.savingOf(saved, savingPercent(priceOf(original), priceOf(resale)))
    : t.noSaving;
  return (
    <p
      className={cx(
        "-mt-2 min-h-6 text-sm sm:col-span-2",
        hasSaving ? "font-semibold text-accent" : "text-muted",
      )}
    >
      {isComplete ? savingText : t.savingUnknown}
    </p>
  );
}
