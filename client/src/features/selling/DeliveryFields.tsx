import { type UseFormReturn, useWatch } from "react-hook-form";
import * as t from "@/texts/selling";
import { Field, Options, Select } from "@/ui";
import { type FormValues, isSent } from "./formValues";
import { PRICE_INPUT_PROPS } from "./Prices";
import { checkPostage } from "./validation";

/** How the buyer gets the phone, and what it costs to send it. */
export function DeliveryFields({ form }: { form: UseFormReturn<FormValues> }) {
  const { register, formState, control } = form;
  const { errors } = formState;
  const delivers = useWatch({ control, name: "delivers" });
  return (
    <>
      <Select label={t.labels.delivers} error={errors.delivers?.message} {...register("delivers")}>
        <Options labels={t.deliveries} />
      </Select>
      {/* As high without the field, so that nothing below it moves. */}
      <div className="sm:min-h-30">
        {isSent({ delivers }) && (
          <Field
            label={t.labels.postage}
            note={<p className="text-muted text-sm">{t.postageNote}</p>}
            {...PRICE_INPUT_PROPS}
            error={errors.postage?.message}
            {...register("postage", { validate: checkPostage })}
          />
        )}
      </div>
    </>
  );
}
