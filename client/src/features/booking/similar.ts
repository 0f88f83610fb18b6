import type { Product } from "@/api/types";
import { CONDITIONS } from "@/lib/productRules";

/** The number of similar phones: one row of the dialog. */
export const MAX_SIMILAR = 3;
/** The distance of one step of condition: equal to a price that is a fifth higher. */
const CONDITION_STEP = Math.log(1.2);

/** The distance between two phones, by the ratio of their prices and their conditions; 0 if they are equal in both. */
export function distance(of: Product, other: Product): number {
  const price = Math.abs(Math.log(other.resalePrice / of.resalePrice));
  const steps = CONDITIONS.indexOf(other.productCondition) - CONDITIONS.indexOf(of.productCondition);
  return price + CONDITION_STEP * Math.abs(steps);
}

/** The available phones that are most similar to this one: those of its brand first, then by distance. */
export function mostSimilar(of: Product, phones: readonly Product[]): Product[] {
  const isOtherBrand = ({ id }: Product) => Number(id !== of.id);
  return [...new Map(phones.map((phone) => [phone._id, phone])).values()]
    .filter(({ _id, booked }) => _id !== of._id && !booked)
    .sort((a, b) => isOtherBrand(a) - isOtherBrand(b) || distance(of, a) - distance(of, b))
    .slice(0, MAX_SIMILAR);
}
