import type { ListIds } from "@/api/useListIds";
import { parseQuery } from "@/lib/productQuery";

/** The requested words, and the words that the server searched instead because no phone matched. */
export interface Correction {
  asked: string;
  searched: string;
}

/** How the server corrected the words of a query (as formatQuery writes it); null if it searched them. */
export function correctionOf(queryString: string, { words }: Pick<ListIds, "words">): Correction | null {
  const asked = parseQuery(queryString).text;
  return words === undefined || words === asked ? null : { asked, searched: words };
}
