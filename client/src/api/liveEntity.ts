import type { BaseQueryApi } from "@reduxjs/toolkit/query";
import { createList, type Entity, type ListKind, type LiveList, replaceList } from "@/lib/live";
import { steadyNow } from "@/lib/serverTime";
import { cachedList, type ListResult, originalOf, type Send } from "./cachedList";
import { listId, listTag } from "./shownLists";

/**
 * The definition of an endpoint for one entity with live updates. Its value is a live list that contains this entity
 * only, and is empty after the entity was removed. Without an id in the argument the list takes any entity of its kind,
 * and is empty while the response has none.
 */
export function liveEntity<T extends Entity, A extends { id?: string; signedIn?: boolean }>(
  kind: ListKind,
  pathOf: (arg: A) => string,
) {
  return {
    queryFn: async (
      arg: A,
      store: BaseQueryApi,
      _extra: object,
      send: Send,
    ): Promise<ListResult<LiveList<T>>> => {
      const startedAt = steadyNow();
      const result = await send({ url: pathOf(arg), requiresSession: arg.signedIn });
      const cached = cachedList<T>(store);
      // The entity was removed, and its event was missed.
      if (result.error?.status === 404 && cached) {
        // Without a position it is unknown which events are older, so the list receives no more events.
        const topic = cached.position === null ? null : cached.topic;
        return { data: { ...cached, topic, ids: [], entities: {}, total: 0, startedAt } };
      }
      if (result.error) return { error: result.error };
      const { live } = result.meta ?? {};
      const [topic, position] = [live?.topic ?? null, live?.position ?? null];
      const list = createList(
        [result.data as T].filter(({ _id }) => _id),
        {
          kind,
          total: 1,
          nextCursor: null,
          topic,
          position,
          startedAt,
        },
      );
      return { data: { ...list, onlyId: arg.id, id: listId(kind, arg) } };
    },
    providesTags: (_list: unknown, _error: unknown, arg: A) => [listTag(listId(kind, arg))],
    merge: (draft: LiveList<T>, fetched: LiveList<T>) => replaceList(originalOf(draft), fetched),
  };
}
