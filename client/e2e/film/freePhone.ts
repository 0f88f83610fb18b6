import type { Person, Phone } from "../support/person";

/** The seller's nth phone that can be booked, the dearest first. */
export async function freePhone(seller: Person, nth: number): Promise<Phone> {
  const phones = await seller.request<(Phone & { booked: boolean })[]>(
    "get",
    `/products?email=${seller.email}`,
  );
  const free = phones.filter(({ booked }) => !booked).sort((a, b) => b.resalePrice - a.resalePrice);
  const phone = free[nth];
  if (!phone) throw new Error("the seller has no such phone");
  return phone;
}
