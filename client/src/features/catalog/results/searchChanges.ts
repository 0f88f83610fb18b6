import type { ListIds } from "@/api/useListIds";
import { parseQuery, type Query, splitWords } from "@/lib/productQuery";
import * as t from "@/texts/search";

/** What the server has said about a search. */
type Made = Pick<ListIds, "searched" | "leftOut">;

/** The words of a search with a typing error, and those that were searched instead; null if there was none. */
function correctionOf(queryString: string, { searched }: Made): { asked: string; searched: string } | null {
  const asked = parseQuery(queryString).text;
  const typed = splitWords(asked);
  const isCorrected =
    searched !== undefined && !splitWords(searched.text).every((word) => typed.includes(word));
  return isCorrected ? { asked, searched: searched.text.replace(/\*$/, "") } : null;
}

/** What the reader should know: the words that the server corrected or let go; "" if there are none. */
export function noticeOf(queryString: string, list: Made): string {
  const correction = correctionOf(queryString, list);
  const { leftOut } = list;
  if (leftOut.length === 0) return correction ? t.corrected(correction) : "";
  return correction ? t.correctedWithout({ ...correction, leftOut }) : t.searchedWithout(leftOut);
}

/** The filters that words can set. */
type WordFilters = Pick<Query, "text" | "minPrice" | "maxPrice" | "minStorage" | "storage" | "colours">;

/**
 * The filters that the server has read in the words, with the other words as the text; null if it has read none. The
 * words that it let go stay in the text: they may match once a filter is removed.
 */
export function filtersOfWords(asked: Query, { searched, leftOut }: Made): WordFilters | null {
  if (!searched) return null;
  const { minPrice, maxPrice, minStorage, storage, colours } = searched;
  const isSame =
    minPrice === asked.minPrice &&
    maxPrice === asked.maxPrice &&
    minStorage === asked.minStorage &&
    storage.join() === asked.storage.join() &&
    colours.join() === asked.colours.join();
  if (isSame) return null;
  const kept = [searched.text, ...leftOut].flatMap(splitWords);
  const typed = splitWords(asked.text).filter((word) => kept.includes(word));
  const text = typed.length < kept.length ? searched.text : typed.join(" ");
  return { text, minPrice, maxPrice, minStorage, storage, colours };
}
