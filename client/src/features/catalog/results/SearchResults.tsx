import { useCallback, useEffect, useRef } from "react";
import type { Product } from "@/api/types";
import { type ListIds, useListCount } from "@/api/useListIds";
import type { Query } from "@/lib/productQuery";
import * as t from "@/texts/search";
import { Button, cx, EmptyState, ErrorState, LiveDot, LiveText, LoadMore, StableGrid } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { CardSkeletons } from "../cards/CardSkeletons";
import { LiveProductCard } from "../cards/LiveProductCard";
import { CARD_COLUMNS, CARD_PHOTO } from "../cards/layout";
import { useCardActions } from "../cards/useCardActions";
import { NotFoundLinks } from "../NotFoundLinks";
import { phoneList } from "../phoneList";
import { useIncremental } from "../useIncremental";
import { useLoadMore } from "../useLoadMore";
import { countText } from "./countText";
import { RefreshResults } from "./RefreshResults";
import { SaveSearch } from "./SaveSearch";
import { SearchNotice } from "./SearchNotice";
import { noticeOf } from "./searchChanges";
import { useRefresh } from "./useRefresh";
import type { LoadedResults } from "./useSearchResults";

interface Props {
  /** The list of the current query. */
  currentList: ListIds;
  /** What is displayed: the previous results until the list has loaded. */
  displayed: LoadedResults | null;
  /** The active filters, shown beside the count. */
  chips: Elements;
  /** The search words and all filters, shown in place of an empty result. */
  emptiedBy: Elements;
  /** Clears the search and all filters. */
  onClear: () => void;
  /** Leads to the search field. */
  onChangeWords: () => void;
}

/** The results. The previous results are shown dimmed until the new ones have loaded. */
export function SearchResults({ currentList, displayed, ...rest }: Props) {
  const { renderedIds, isFullyRendered } = useIncremental(displayed?.list.ids);
  return (
    <>
      {displayed && renderedIds && (
        <div
          aria-busy={!currentList.ids}
          className={cx("grid gap-4 transition-opacity", !currentList.ids && "opacity-50")}
        >
          <Products {...displayed} renderedIds={renderedIds} isFullyRendered={isFullyRendered} {...rest} />
        </div>
      )}
      {currentList.errorStatus === 404 && (
        <div role="alert">
          <EmptyState title={t.unknownBrand}>
            <NotFoundLinks />
          </EmptyState>
        </div>
      )}
      {currentList.error !== undefined && currentList.errorStatus !== 404 && (
        <ErrorState
          message={t.phonesNotLoaded(currentList.error)}
          onRetry={currentList.retry}
          busy={currentList.isFetching}
        />
      )}
      {!renderedIds && currentList.error === undefined && (
        // Leaves the height of the grid's bar.
        <div className="pt-12">
          <CardSkeletons
            label={t.loadingPhones}
            onRetry={currentList.retry}
            count={6}
            photo={CARD_PHOTO}
            below="h-68"
            columns={CARD_COLUMNS}
          />
        </div>
      )}
    </>
  );
}

interface ProductsProps extends LoadedResults, Omit<Props, "currentList" | "displayed"> {
  /** The ids that are rendered so far, and whether that is all of them. */
  renderedIds: string[];
  isFullyRendered: boolean;
}

function Products({
  arg,
  list,
  renderedIds,
  isFullyRendered,
  chips,
  onChangeWords,
  ...empty
}: ProductsProps) {
  const { ids = [], total, nextCursor } = list;
  const more = useLoadMore(phoneList, arg, nextCursor);
  const notice = noticeOf(arg.queryString, list);
  const query = arg.queryString ? (list.searched ?? null) : null;
  const { refreshCount, isRefreshing, refresh } = useRefresh(arg, list.startedAt);
  const { onBookOrWait, onReport } = useCardActions(arg.signedIn);
  const card = useCallback(
    (id: string, place: number) => (
      <LiveProductCard
        arg={arg}
        query={query}
        id={id}
        eager={place < 4}
        onBookOrWait={onBookOrWait}
        onReport={onReport}
      />
    ),
    [arg, query, onBookOrWait, onReport],
  );

  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The pressed button was removed with the previous list.
    if (refreshCount > 0) container.current?.focus({ preventScroll: true });
  }, [refreshCount]);

  return (
    <div ref={container} tabIndex={-1} className="grid gap-4 outline-none">
      {ids.length === 0 && <NoResults arg={arg} searched={list.searched} {...empty} />}
      {notice && <SearchNotice text={notice} onChange={onChangeWords} />}
      {ids.length > 0 && (
        <StableGrid
          key={`${arg.queryString} ${refreshCount}`}
          keys={renderedIds}
          expectedCount={isFullyRendered ? 0 : ids.length}
          columns={CARD_COLUMNS}
          removedText={query ? t.removedFromList : t.notForSale}
          header={
            <ResultsBar arg={arg} list={list} narrowed={query !== null} chips={chips}>
              {query && <RefreshResults arg={arg} query={query} busy={isRefreshing} onRefresh={refresh} />}
            </ResultsBar>
          }
        >
          {card}
        </StableGrid>
      )}
      {ids.length > 0 && (
        // Rendered from the start, so that it pushes nothing down later.
        <LoadMore
          shown={ids.length}
          total={total}
          hasMore={nextCursor !== null}
          endless
          {...more}
          busy={more.busy || !isFullyRendered}
        />
      )}
    </div>
  );
}

interface BarProps extends Pick<ProductsProps, "arg" | "list" | "chips"> {
  /** Whether there are words or filters. */
  narrowed: boolean;
  children: Elements;
}

/** The line above the cards: the count, the active filters, and what can be done with the search. */
function ResultsBar({ arg, list, narrowed, chips, children }: BarProps) {
  return (
    <div className="grid min-w-0 auto-rows-[minmax(2.25rem,auto)] grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-2 gap-y-1.5 sm:gap-x-4 lg:flex">
      <p className="flex min-w-0 items-center gap-2.5 text-muted text-sm tabular-nums lg:shrink-0">
        <LiveDot className="text-ok" />
        <span className="truncate">
          <Count arg={arg} list={list} narrowed={narrowed} />
          <LiveText otherwise={t.notUpdating}>{t.updatingLive}</LiveText>
        </span>
      </p>
      {chips}
      {arg.signedIn && (narrowed || arg.brand) && <SaveSearch arg={arg} searched={list.searched} />}
      {children}
    </div>
  );
}

const isAvailable = ({ booked }: Product) => !booked;

/** "43 available": the phones of a list that can be booked. "46 phones" while it is filtered or has more pages. */
function Count({ arg, list, narrowed }: Pick<BarProps, "arg" | "list" | "narrowed">) {
  const available = useListCount(phoneList, arg, isAvailable);
  const isComplete = list.nextCursor === null;
  return <span>{isComplete && !narrowed ? t.countAvailable(available) : countText(list, narrowed)}</span>;
}

interface NoResultsProps extends Pick<ProductsProps, "arg" | "emptiedBy" | "onClear"> {
  searched: Query | undefined;
}

/**
 * An empty result: offers to save the search first (a visitor logs in for it), then lists its words and filters, each with a button that removes
 * it.
 */
function NoResults({ arg, searched, emptiedBy, onClear }: NoResultsProps) {
  if (arg.queryString === "") {
    return (
      <EmptyState title={arg.brand === null ? t.noPhones : t.noPhonesOfBrand}>{t.newPhonesAppear}</EmptyState>
    );
  }
  return (
    <EmptyState title={t.noMatch}>
      <div className="grid justify-items-center gap-4">
        <p>{arg.signedIn ? t.saveToHear : t.logInToSave}</p>
        <SaveSearch arg={arg} searched={searched} isFirst />
        <p>{t.noMatchHint}</p>
        {emptiedBy}
        <Button variant="secondary" onClick={onClear}>
          {t.showAll}
        </Button>
      </div>
    </EmptyState>
  );
}
