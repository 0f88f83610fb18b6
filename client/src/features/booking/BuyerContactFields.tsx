import type { FormState, UseFormRegister } from "react-hook-form";
import type { WaitPayload } from "@/api/types";
import { cleanLine, cleanPhone } from "@/lib/cleanText";
import * as t from "@/texts/booking";
import { Field } from "@/ui";
import { checkPhoneNumber } from "./checkPhoneNumber";

interface Props {
  register: UseFormRegister<WaitPayload>;
  errors: FormState<WaitPayload>["errors"];
}

/** How the seller reaches the buyer; a booking and a place on a waitlist have the same fields. */
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
