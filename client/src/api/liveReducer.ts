import type { Reducer, UnknownAction } from "@reduxjs/toolkit";
import {
  applyEvents,
  depart,
  emptyLedger,
  forget,
  isLiveList,
  type Ledger,
  type LiveList,
  reconcile,
  withEntity,
} from "@/lib/live";
import { entityRead, liveApplied, liveForgotten } from "./liveActions";

/** The part of RTK Query's state that live updates touch. */
interface Cache {
  queries: Record<string, { data?: unknown } | undefined>;
}

/** RTK Query's state with what live updates have taught us beside it. */
export type WithLedger<S> = S & { ledger: Ledger };

/**
 * Puts live updates into RTK Query's reducer: one action changes every cached
 * list it concerns (updateQueryData would dispatch once per list), and every
 * list answer is brought up to what the events have already shown, in the same
 * step in which it arrives.
 */
export function withLive<S extends Cache>(inner: Reducer<S>): Reducer<WithLedger<S>> {
  // RTK Query's own reducer warns about keys it does not know, so it never sees the ledger.
  const cores = new WeakMap<object, S>();
  const coreOf = (state: WithLedger<S>): S => {
    const known = cores.get(state);
    if (known) return known;
    const { ledger: _, ...core } = state;
    return core as unknown as S;
  };
  const join = (core: S, ledger: Ledger, before?: WithLedger<S>): WithLedger<S> => {
    if (before && ledger === before.ledger && core === cores.get(before)) return before;
    const state = { ...core, ledger };
    cores.set(state, core);
    return state;
  };
  return (state, action: UnknownAction) => {
    if (!state) return join(inner(undefined, action), emptyLedger);
    const before = coreOf(state);
    if (liveApplied.match(action)) {
      const applied = applyEvents({ lists: listsOf(before), ledger: state.ledger }, action.payload);
      return join(withLists(before, applied.lists), applied.ledger, state);
    }
    if (liveForgotten.match(action)) return join(before, forget(state.ledger, action.payload), state);
    if (entityRead.match(action)) {
      const { id, entity } = action.payload;
      const lists = Object.entries(listsOf(before)).map(
        ([key, list]) => [key, withEntity(list, id, entity)] as const,
      );
      return join(withLists(before, Object.fromEntries(lists)), state.ledger, state);
    }
    const after = inner(before, action);
    const { cache, ledger } = reconciled(before, after, state.ledger);
    return join(cache, ledger, state);
  };
}

/** The cached lists that a live topic feeds, by cache key. */
export function listsOf(cache: Cache): Record<string, LiveList> {
  const lists: Record<string, LiveList> = {};
  for (const [key, entry] of Object.entries(cache.queries)) {
    if (isLiveList(entry?.data)) lists[key] = entry.data;
  }
  return lists;
}

function withLists<S extends Cache>(cache: S, lists: Record<string, LiveList>): S {
  const queries = { ...cache.queries };
  let changed = false;
  for (const [key, list] of Object.entries(lists)) {
    if (queries[key]?.data === list) continue;
    queries[key] = { ...queries[key], data: list };
    changed = true;
  }
  return changed ? { ...cache, queries } : cache;
}

/** Brings lists that have just been answered up to date; the others are left alone. */
function reconciled<S extends Cache>(before: S, after: S, ledger: Ledger): { cache: S; ledger: Ledger } {
  if (before.queries === after.queries) return { cache: after, ledger };
  const lists: Record<string, LiveList> = {};
  let known = ledger;
  for (const [key, list] of Object.entries(listsOf(after))) {
    const held = before.queries[key]?.data;
    if (held === list) continue;
    if (isLiveList(held)) known = depart(known, held, list);
    lists[key] = reconcile(list, known);
  }
  return { cache: withLists(after, lists), ledger: known };
}
