import { effectOf, LIST_RULES, receivesTopic } from "./listRules";
import { isInLoadedRange } from "./normalizedList";
import type { LiveEvent, LiveList } from "./types";

/** Whether the event removes an entity that may be on a page of this list that is not loaded. */
function mayChangeFurtherPage(list: LiveList, event: LiveEvent): boolean {
  const { topic, data } = event;
  const { entityType, isRemoval } = effectOf(event);
  return (
    isRemoval &&
    LIST_RULES[list.kind].entityType === entityType &&
    receivesTopic(list, topic) &&
    !(data._id in list.entities) &&
    !isInLoadedRange(list, data)
  );
}

/**
 * The ids of the lists whose total is not known after these events, which have not been applied to them yet. The total
 * counts further pages, and a removal does not say whether its entity was on one of them. Lists with an order are left out:
 * their total is the server's until the user refetches them, and a refetch would take out the cards that no longer match.
 */
export function listsWithUnknownTotal(lists: readonly LiveList[], events: readonly LiveEvent[]): string[] {
  const changed = lists.filter(
    (list) =>
      list.nextCursor !== null && !list.order && events.some((event) => mayChangeFurtherPage(list, event)),
  );
  return changed.flatMap(({ id }) => id ?? []);
}
