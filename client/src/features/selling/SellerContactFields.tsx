import type { UseFormReturn } from "react-hook-form";
import { useConfigQuery } from "@/api/config";
import { cleanLine, cleanPhone } from "@/lib/cleanText";
import * as t from "@/texts/selling";
import { Field } from "@/ui";
import type { FormValues } from "./formValues";
import { required } from "./validation";

/** The phone's location and the seller's phone number, with who will see it. */
export function SellerContactFields({ form: { register, formState } }: { form: UseFormReturn<FormValues> }) {
  const whoSees = useConfigQuery().data?.sellerContact;
  return (
    <>
      <Field
        label={t.labels.location}
        autoComplete="address-level2"
        autoCapitalize="words"
        maxLength={120}
        error={formState.errors.location?.message}
        {...register("location", { setValueAs: cleanLine, validate: required(t.labels.location) })}
      />
      <Field
        label={t.labels.phone}
        hint={whoSees && t.whoSeesNumber[whoSees]}
        type="tel"
        autoComplete="tel"
        maxLength={120}
        error={formState.errors.phone?.message}
        {...register("phone", { setValueAs: cleanPhone, validate: required(t.labels.phone) })}
      />
    </>
  );
}
