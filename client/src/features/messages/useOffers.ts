import { useMemo } from "react";
import { useMe } from "@/api/me";
import type { Offer } from "@/api/types";
import { useList } from "@/api/useList";
import { offers } from "./endpoints";

/** The person's offers for a phone as they are now, by _id; none without a phone. Live. */
export function useOffers(productID: string | undefined): Record<string, Offer> {
  const email = useMe()?.email;
  const arg = useMemo(
    () => (email && productID ? { email, filter: { productID } } : null),
    [email, productID],
  );
  return useList(offers, arg).list?.entities ?? {};
}
