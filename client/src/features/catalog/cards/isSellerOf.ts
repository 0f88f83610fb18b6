import type { Product, SignedInUser } from "@/api/types";

/** Whether this is the phone of the signed-in seller. Visitors are not told its seller's email. */
export const isSellerOf = (product: Product, me: SignedInUser | null): boolean =>
  me !== null && product.email?.toLowerCase() === me.email.toLowerCase();
