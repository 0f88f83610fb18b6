import type { UseFormReturn } from "react-hook-form";
import * as t from "@/texts/selling";
import { Field } from "@/ui";
import { required } from "./rules";
import type { Typed } from "./typed";

/** Where the phone is, and how to reach its seller. */
export function ReachFields({ form: { register, formState } }: { form: UseFormReturn<Typed> }) {
  return (
    <>
      <Field
        label={t.labels.location}
        autoComplete="address-level2"
        autoCapitalize="words"
        maxLength={120}
        error={formState.errors.location?.message}
        {...register("location", { validate: required(t.labels.location) })}
      />
      <Field
        label={t.labels.phone}
        type="tel"
        autoComplete="tel"
        maxLength={120}
        error={formState.errors.phone?.message}
        {...register("phone", { validate: required(t.labels.phone) })}
      />
    </>
  );
}
