import { useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { SignedInUser } from "@/api/types";
import * as t from "@/texts/selling";
import { Field } from "@/ui";
import type { FormValues } from "./formValues";
import { OffersField } from "./OffersField";
import { checkDate, FIRST_DAY, tomorrow } from "./validation";

/** The fields that are filled in for the seller, folded on a telephone: the date, who sells, and whether they take offers. */
export function MoreFields({ form, me }: { form: UseFormReturn<FormValues>; me: SignedInUser }) {
  const { register, formState, setFocus } = form;
  const { errors } = formState;
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(() => window.matchMedia?.("(min-width: 40rem)").matches ?? true);
  const error = errors.selling_post_date;
  const isOnlyError = Object.keys(errors).length === 1;
  useEffect(() => {
    if (!error || !details.current) return;
    details.current.open = true;
    setOpen(true);
    // A folded field does not get the focus.
    if (isOnlyError) setFocus("selling_post_date");
  }, [error, isOnlyError, setFocus]);
  return (
    <details
      ref={details}
      open={isOpen}
      onToggle={() => setOpen(details.current?.open ?? false)}
      className="sm:col-span-2"
    >
      <summary className="min-h-11 cursor-pointer py-2">
        <span className="font-semibold text-brand">{t.more}</span>
        <span className="ms-3 text-muted text-sm">{t.moreFields}</span>
      </summary>
      <div className="grid gap-5 pt-3 sm:grid-cols-2">
        <Field
          label={t.labels.selling_post_date}
          hint={t.dateHint}
          type="date"
          min={FIRST_DAY}
          max={tomorrow()}
          error={error?.message}
          {...register("selling_post_date", { validate: checkDate })}
        />
        <Field label={t.labels.sellerName} name="sellerName" value={me.displayName} readOnly />
        <Field label={t.labels.email} name="email" type="email" value={me.email} readOnly />
        <OffersField form={form} />
      </div>
    </details>
  );
}
