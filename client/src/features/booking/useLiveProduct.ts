import { toApiError } from "@/api/errors";
import { useLiveList } from "@/api/live";
import { phone, usePhoneQuery } from "@/api/phone";
import type { Product } from "@/api/types";
import { useRefetch } from "@/api/useRefetch";

/** The current state of the chosen phone. */
export interface LiveProduct {
  /** As it is; of one that has gone, as it was when it was chosen. */
  product: Product;
  isGone: boolean;
  /** Reads it again. */
  refetch: () => void;
}

/** Follows the chosen phone while the dialog is open, whatever screen it was chosen on. */
export function useLiveProduct(chosen: Product): LiveProduct {
  const arg = { id: chosen._id, signedIn: true };
  const { currentData, error } = usePhoneQuery(arg);
  const refetch = useRefetch(phone, arg);
  useLiveList(currentData);
  const seen = currentData?.entities[chosen._id];
  const isMissing = !currentData && error !== undefined && toApiError(error).status === 404;
  return {
    // What the cache held of it may be older than the card that was pressed.
    product: seen && seen.version >= chosen.version ? seen : chosen,
    isGone: isMissing || (currentData !== undefined && !seen),
    refetch,
  };
}
