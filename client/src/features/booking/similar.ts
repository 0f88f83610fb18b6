import { CONDITIONS, type Product } from "@/api/types";

/** As many as stand in one line of the dialog. */
export const COUNT = 3;
/** What one step of condition weighs: as much as a price a fifth higher or lower. */
const STEP = Math.log(1.2);

/** How far a phone is from the one that was wanted, by price (as a ratio) and condition; 0 is the same. */
export function distance(of: Product, other: Product): number {
  const price = Math.abs(Math.log(other.resalePrice / of.resalePrice));
  const steps = CONDITIONS.indexOf(other.productCondition) - CONDITIONS.indexOf(of.productCondition);
  return price + STEP * Math.abs(steps);
}

/** The free phones most like one that was lost: those of its brand first, the nearest before the others. */
export function mostAlike(of: Product, phones: readonly Product[]): Product[] {
  const isOther = ({ id }: Product) => Number(id !== of.id);
  return [...new Map(phones.map((phone) => [phone._id, phone])).values()]
    .filter(({ _id, booked }) => _id !== of._id && !booked)
    .sort((a, b) => isOther(a) - isOther(b) || distance(of, a) - distance(of, b))
    .slice(0, COUNT);
}
