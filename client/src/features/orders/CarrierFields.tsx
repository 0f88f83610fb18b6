import type { UseFormReturn } from "react-hook-form";
import { cleanLine, cleanNumber } from "@/lib/cleanText";
import * as t from "@/texts/order";
import { Field } from "@/ui";

export interface CarrierValues {
  carrier: string;
  tracking: string;
}

/** The fields of a phone that is sent by post. */
export function CarrierFields({ register, formState: { errors } }: UseFormReturn<CarrierValues>) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label={t.carrier}
        error={errors.carrier?.message}
        maxLength={120}
        {...register("carrier", { setValueAs: cleanLine, required: t.required(t.carrier) })}
      />
      <Field
        label={t.tracking}
        error={errors.tracking?.message}
        maxLength={120}
        autoComplete="off"
        {...register("tracking", { setValueAs: cleanNumber, required: t.required(t.tracking) })}
      />
    </div>
  );
}
