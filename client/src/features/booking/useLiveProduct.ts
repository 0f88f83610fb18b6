import { toApiError } from "@/api/errors";
import { useLiveList } from "@/api/live";
import { phone, usePhoneQuery } from "@/api/phone";
import type { Product } from "@/api/types";
import { useRefetch } from "@/api/useRefetch";

/** The current state of the phone. */
export interface LiveProduct {
  /** The current phone; if it was removed, the one that was selected. */
  product: Product;
  isRemoved: boolean;
  /** Refetches it. */
  refetch: () => void;
}

/** Loads the phone and keeps it live while the dialog is open. */
export function useLiveProduct(selected: Product): LiveProduct {
  const arg = { id: selected._id, signedIn: true };
  const { currentData, error } = usePhoneQuery(arg);
  const refetch = useRefetch(phone, arg);
  useLiveList(currentData);
  const live = currentData?.entities[selected._id];
  const isMissing = !currentData && error !== undefined && toApiError(error).status === 404;
  return {
    // The cached phone may be older than the card whose button was pressed.
    product: live && live.version >= selected.version ? live : selected,
    isRemoved: isMissing || (currentData !== undefined && !live),
    refetch,
  };
}
