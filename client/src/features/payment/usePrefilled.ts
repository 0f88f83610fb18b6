import { useEffect } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { Address } from "@/api/types";
import type { AddressValues } from "./useDelivery";

/**
 * Fills in the address form: with the order's address, else with the one that the account remembers, else with the
 * buyer's name. What the buyer has typed is kept.
 */
export function usePrefilled(
  form: UseFormReturn<AddressValues>,
  name: string,
  saved: Address | null | undefined,
  remembered: Address | null | undefined,
): void {
  const { reset, formState } = form;
  const { isDirty } = formState;
  useEffect(() => {
    if (isDirty) return;
    const address = saved ?? remembered ?? { name, street: "", postcode: "", town: "" };
    reset({ address, remember: Boolean(remembered) });
  }, [isDirty, reset, name, saved, remembered]);
}
