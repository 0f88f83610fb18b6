import type { UseFormReturn } from "react-hook-form";
import * as t from "@/texts/selling";
import type { FormValues } from "./formValues";

/** Whether buyers can offer another price. */
export function OffersField({ form: { register } }: { form: UseFormReturn<FormValues> }) {
  return (
    <div className="self-end">
      <label className="flex min-h-11 cursor-pointer items-center gap-3 font-semibold">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-brand"
          aria-describedby="offers-hint"
          {...register("offers")}
        />
        <span>{t.labels.offers}</span>
      </label>
      <p id="offers-hint" className="text-muted text-sm">
        {t.offersHint}
      </p>
    </div>
  );
}
