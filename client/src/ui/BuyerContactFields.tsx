import type { FieldErrors, UseFormRegisterReturn } from "react-hook-form";
import { cleanLine, cleanPhone } from "@/lib/cleanText";
import * as t from "@/texts/booking";
import { Field } from "@/ui/Field";
import { checkPhoneNumber } from "./checkPhoneNumber";

/** How the seller reaches the buyer. */
interface Contact {
  phone: string;
  location: string;
}

interface FieldOptions {
  setValueAs: (typed: string) => string;
  validate?: (value: string) => string | true;
}

interface Props {
  /** The form's function: a form may have further fields. */
  register: (name: keyof Contact, options: FieldOptions) => UseFormRegisterReturn;
  errors: FieldErrors<Contact>;
}

/** How the seller reaches the buyer; a booking, a place on a waitlist and an offer have the same fields. */
export const BuyerContactFields = ({ register, errors }: Props) => (
  <>
    <Field
      label={t.phone}
      type="tel"
      autoComplete="tel"
      error={errors.phone?.message}
      {...register("phone", { setValueAs: cleanPhone, validate: checkPhoneNumber })}
    />
    <Field
      label={t.location}
      hint={t.locationHint}
      error={errors.location?.message}
      {...register("location", { setValueAs: cleanLine })}
    />
  </>
);
