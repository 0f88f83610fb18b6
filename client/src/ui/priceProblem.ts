import { parseDollars } from "@/lib/dollars";
import { MAX_PRICE } from "@/lib/productRules";
import { priceWrong, wholeDollarsOnly } from "@/texts/money";

/** What is wrong with a typed price; undefined if nothing is, or if nothing is typed. */
export function priceProblem(text: string): string | undefined {
  if (text.trim() === "") return undefined;
  const price = parseDollars(text);
  if (price === "cents") return wholeDollarsOnly;
  return price === "price" || price > MAX_PRICE ? priceWrong : undefined;
}
