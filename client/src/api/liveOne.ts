import { original } from "@reduxjs/toolkit";
import type { BaseQueryApi, QueryReturnValue } from "@reduxjs/toolkit/query";
import { createList, type Entity, isLiveList, type ListKind, type LiveList, replaceList } from "@/lib/live";
import type { AnswerMeta } from "./answerMeta";
import type { ApiError } from "./errors";
import { listId, listTag } from "./shownLists";

type Answer<T> = QueryReturnValue<T, ApiError, AnswerMeta | undefined>;
type Call = (url: string) => PromiseLike<Answer<unknown>> | Answer<unknown>;

/** The cached value of the entry that is being fetched. */
function cachedList<T extends Entity>(store: BaseQueryApi): LiveList<T> | undefined {
  const { api: cache } = store.getState() as {
    api: { queries: Record<string, { data?: unknown } | undefined> };
  };
  const data = cache.queries[store.queryCacheKey ?? ""]?.data;
  return isLiveList(data) ? (data as LiveList<T>) : undefined;
}

/**
 * The definition of an endpoint for one entity that live updates change: a live list of this entity alone. It
 * becomes empty when the entity is removed.
 */
export function liveOne<T extends Entity, A extends { id: string }>(
  kind: ListKind,
  pathOf: (arg: A) => string,
) {
  return {
    queryFn: async (
      arg: A,
      store: BaseQueryApi,
      _extra: object,
      call: Call,
    ): Promise<Answer<LiveList<T>>> => {
      const startedAt = Date.now();
      const answer = await call(pathOf(arg));
      const before = cachedList<T>(store);
      // Refetched after a gap: the entity was removed meanwhile, and no event said so.
      if (answer.error?.status === 404 && before) {
        // Without a position it is unknown which events were earlier, so the list follows its topic no longer.
        const topic = before.position === null ? null : before.topic;
        return { data: { ...before, topic, ids: [], entities: {}, total: 0, startedAt } };
      }
      if (answer.error) return { error: answer.error };
      const { live } = answer.meta ?? {};
      const [topic, position] = [live?.topic ?? null, live?.position ?? null];
      const list = createList([answer.data as T], {
        kind,
        total: 1,
        nextCursor: null,
        topic,
        position,
        startedAt,
      });
      return { data: { ...list, onlyId: arg.id, id: listId(kind, arg) } };
    },
    providesTags: (_list: unknown, _error: unknown, arg: A) => [listTag(listId(kind, arg))],
    merge: (now: LiveList<T>, coming: LiveList<T>) =>
      // RTK Query passes a draft; the helper compares references of the original.
      replaceList((original(now as object) as LiveList<T> | undefined) ?? now, coming),
  };
}
