import type { ListIds } from "@/api/useListIds";
import * as t from "@/texts/search";

/** The server stops counting a filtered list here. */
const COUNT_LIMIT = 10_000;

/** "12 phones": the number of phones in a list; "10,000 phones or more" where the server stopped counting. */
export function countText({ ids = [], total }: ListIds, narrowed: boolean): string {
  const most = Math.max(total, ids.length);
  return narrowed && most >= COUNT_LIMIT ? t.countOrMore(COUNT_LIMIT) : t.count(most);
}
