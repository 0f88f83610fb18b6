import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { useLiveTopics } from "@/api/live";
import type { Product } from "@/api/types";
import { useList } from "@/api/useList";
import { useWatching } from "@/api/watching";
import * as t from "@/texts/watching";
import { ErrorState, Loading, NextPage, Skeleton, StableGrid, useRowSnapshot } from "@/ui";
import { EmptyPart } from "./EmptyPart";
import { ALL, watches } from "./endpoints";

/** Beside the menu of the dashboard there is room for three columns. */
const COLUMNS = "grid gap-2.5 sm:gap-4 min-[22.5rem]:grid-cols-2 xl:grid-cols-3";

interface Props {
  /** Renders the card of a phone; `index` counts from 0. */
  card: (product: Product, index: number) => ReactNode;
  /** As in EmptyPart. */
  isBrief: boolean;
}

/** The live cards of the watched phones: those that can be bought, then held ones, then sold ones; the last one that was watched first. */
export function WatchedPhones({ card, isBrief }: Props) {
  const view = useList(watches, ALL);
  const { list } = view;
  const watching = useWatching();
  const entities = list?.entities ?? {};
  // A phone that is booked while it is shown keeps its place.
  const rank = useRowSnapshot<Product, number>("", ({ sold, booked }) => (sold ? 2 : booked ? 1 : 0));
  const ranked = (watching?.phones.toReversed() ?? []).flatMap((id) => entities[id] ?? []);
  const ids = ranked.sort((a, b) => rank(a) - rank(b)).map(({ _id }) => _id);
  const topics = useMemo(
    () => [...new Set(Object.values(list?.entities ?? {}).map(({ id }) => `brand:${id}`))].sort(),
    [list],
  );
  useLiveTopics(topics, list?.startedAt);
  const isPhoneMissing = list !== undefined && !view.hasMore && ids.length < (watching?.phones.length ?? 0);
  useRefetchIfMissing(isPhoneMissing, watching?.version, view.retry);

  return (
    <section aria-labelledby="watched-title" className="grid gap-3">
      <h3 id="watched-title" className="font-bold text-lg">
        {t.phones}
      </h3>
      {view.isLoading && (
        <Loading label={t.phonesLoading} onRetry={view.retry}>
          <div className={COLUMNS}>
            {["a", "b", "c"].map((slot) => (
              <Skeleton key={slot} className="h-96" />
            ))}
          </div>
        </Loading>
      )}
      {view.error && (
        <ErrorState message={t.phonesNotLoaded(view.error)} onRetry={view.retry} busy={view.isFetching} />
      )}
      {list && list.ids.length === 0 && (
        <EmptyPart
          title={t.noPhones}
          hint={t.noPhonesHint}
          to="/categories"
          link={t.browse}
          isBrief={isBrief}
        />
      )}
      {list && list.ids.length > 0 && (
        <StableGrid
          keys={ids}
          columns={COLUMNS}
          removedText={t.noLongerWatched}
          header={<p className="text-muted text-sm tabular-nums">{t.count(ids.length)}</p>}
        >
          {(id, place) => entities[id] && card(entities[id], place)}
        </StableGrid>
      )}
      <NextPage view={view} shown={list?.ids.length ?? 0} />
    </section>
  );
}

/**
 * Refetches the list if a watched phone is missing, because it was watched in another window. A phone that was removed
 * from the market is missing too, so there is one request for each version.
 */
function useRefetchIfMissing(isPhoneMissing: boolean, version: number | undefined, refetch: () => void) {
  const latest = useRef(refetch);
  latest.current = refetch;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each version
  useEffect(() => {
    if (isPhoneMissing) latest.current();
  }, [isPhoneMissing, version]);
}
