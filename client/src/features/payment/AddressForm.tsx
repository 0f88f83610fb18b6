import type { Address } from "@/api/types";
import { cleanLine } from "@/lib/cleanText";
import * as t from "@/texts/payment";
import { Button, Field } from "@/ui";
import type { DeliveryControls } from "./useDelivery";

/** The parts of an address, and what browsers call them. */
const PARTS: [part: keyof Address, autoComplete: string][] = [
  ["name", "name"],
  ["street", "address-line1"],
  ["postcode", "postal-code"],
  ["town", "address-level2"],
];

/** The server's limit of all parts together. */
const MAX_LENGTH = 300;

/** The address that the phone is sent to. */
export function AddressForm({ controls }: { controls: DeliveryControls }) {
  const { form, saveAddress, isBusy, isEditing, keep } = controls;
  const { register, formState } = form;
  const errors = formState.errors.address;
  return (
    <form
      noValidate
      aria-label={t.addressForm}
      className="grid gap-4"
      onSubmit={(event) => void saveAddress(event)}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {PARTS.map(([part, autoComplete]) => (
          <Field
            key={part}
            label={t.addressLabels[part]}
            autoComplete={autoComplete}
            maxLength={MAX_LENGTH}
            note={part === "town" && <p className="text-muted text-sm">{t.townHint}</p>}
            error={errors?.[part]?.message}
            {...register(`address.${part}`, {
              setValueAs: cleanLine,
              required: t.isRequired(t.addressLabels[part]),
            })}
          />
        ))}
      </div>
      <label className="flex min-h-11 cursor-pointer items-center gap-3">
        <input type="checkbox" className="size-5 shrink-0 accent-brand" {...register("remember")} />
        <span>{t.remember}</span>
      </label>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="secondary" busy={isBusy}>
          {t.useAddress}
        </Button>
        {isEditing && (
          <Button variant="quiet" disabled={isBusy} onClick={keep}>
            {t.keepAddress}
          </Button>
        )}
      </div>
    </form>
  );
}
