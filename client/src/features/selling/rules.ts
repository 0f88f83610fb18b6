/** Prices are whole US dollars within these (contract section 4). */
export const PRICE_MIN = 1;
export const PRICE_MAX = 100_000;
/** The image host takes up to 10 MB. */
export const IMAGE_MAX_BYTES = 10 * 1024 * 1024;
/** What the image host takes, for the file chooser; the server looks at the content. */
export const IMAGE_TYPES = "image/jpeg,image/png,image/webp";

/** Says what is wrong with a typed price; true when nothing is. */
export function checkPrice(typed: string | number): string | true {
  const price = Number(typed);
  if (String(typed).trim() === "") return "Price is required";
  if (Number.isInteger(price) && price >= PRICE_MIN && price <= PRICE_MAX) return true;
  return "Price must be a whole number of dollars from 1 to 100,000";
}

/** Says what is wrong with a required text; true when nothing is. */
export function required(label: string): (typed: string | undefined) => string | true {
  return (typed) => (typed ?? "").trim() !== "" || `${label} is required`;
}

/** Says what is wrong with the chosen images; true when nothing is. */
export function checkImages(chosen: readonly { file: File }[]): string | true {
  if (chosen.length === 0) return "Image is required";
  const large = chosen.filter(({ file }) => file.size > IMAGE_MAX_BYTES);
  if (large.length === 0) return true;
  return chosen.length === 1 ? "The image is over 10 MB" : `${large[0]?.file.name} is over 10 MB`;
}

/** Today as YYYY-MM-DD where the user is. */
export function today(now = new Date()): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
