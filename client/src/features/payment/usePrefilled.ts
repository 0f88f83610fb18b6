import { useEffect } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { Address } from "@/api/types";
import type { AddressValues } from "./useDelivery";

interface Sources {
  /** Whether the form is on the screen. */
  isShown: boolean;
  /** The buyer's. */
  name: string;
  /** The order's address. */
  saved: Address | null | undefined;
  /** The address that the account remembers; undefined until it is known. */
  remembered: Address | null | undefined;
}

/**
 * Fills in the address form: with the order's address, else with the one that the account remembers, else with the
 * buyer's name. What the buyer has typed is kept.
 */
export function usePrefilled(form: UseFormReturn<AddressValues>, sources: Sources): void {
  const { isShown, name, saved, remembered } = sources;
  const { resetField, setValue, formState } = form;
  const { isDirty, dirtyFields } = formState;
  const isRememberChosen = dirtyFields.remember === true;
  useEffect(() => {
    if (!isShown) return;
    if (isDirty) {
      // The address came after the first key.
      if (remembered && !isRememberChosen) setValue("remember", true);
      return;
    }
    // Not by reset: it would lose a key that is pressed at the same time.
    const address = saved ?? remembered ?? { name, street: "", postcode: "", town: "" };
    resetField("address.name", { defaultValue: address.name });
    resetField("address.street", { defaultValue: address.street });
    resetField("address.postcode", { defaultValue: address.postcode });
    resetField("address.town", { defaultValue: address.town });
    resetField("remember", { defaultValue: Boolean(remembered) });
  }, [isShown, isDirty, isRememberChosen, resetField, setValue, name, saved, remembered]);
}
