import { type UseFormReturn, useWatch } from "react-hook-form";
import { savingPercent } from "@/lib/money";
import * as t from "@/texts/selling";
import { cx, Field } from "@/ui";
import type { FormValues } from "./formValues";
import { checkPrice, PRICE_MAX, PRICE_MIN } from "./rules";

/** How a price is typed; a wheel that passes over it must not change it. */
export const PRICE = {
  type: "number",
  inputMode: "numeric",
  min: PRICE_MIN,
  max: PRICE_MAX,
  step: 1,
  autoComplete: "off",
  affix: t.dollar,
  onWheel: (event: { currentTarget: HTMLInputElement }) => event.currentTarget.blur(),
} as const;

/** Both prices, and what buyers will see of them while they are typed. */
export function Prices({ form }: { form: UseFormReturn<FormValues> }) {
  const { register, formState, control } = form;
  const { errors } = formState;
  const [original, resale] = useWatch({ control, name: ["originalPrice", "resalePrice"] });
  return (
    <>
      <Field
        label={t.labels.originalPrice}
        {...PRICE}
        error={errors.originalPrice?.message}
        {...register("originalPrice", { validate: checkPrice })}
      />
      <Field
        label={t.labels.resalePrice}
        {...PRICE}
        error={errors.resalePrice?.message}
        {...register("resalePrice", { validate: checkPrice })}
      />
      <Saving original={original} resale={resale} />
    </>
  );
}

/** Its line is there from the start, so that nothing moves while a price is typed. */
function Saving({ original, resale }: { original: string; resale: string }) {
  const known = checkPrice(original) === true && checkPrice(resale) === true;
  const saved = Number(original) - Number(resale);
  const hasSaving = known && saved > 0;
  return (
    <p
      className={cx(
        "-mt-2 min-h-6 text-sm sm:col-span-2",
        hasSaving ? "font-semibold text-accent" : "text-muted",
      )}
    >
      {!known && t.savingLater}
      {known && !hasSaving && t.noSaving}
      {hasSaving && t.savingOf(saved, savingPercent(Number(original), Number(resale)))}
    </p>
  );
}
