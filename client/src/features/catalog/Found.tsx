import { type ReactNode, useCallback, useEffect, useMemo, useRef } from "react";
import type { ListFrame } from "@/api/useListFrame";
import { readQuery } from "@/lib/find";
import * as t from "@/texts/find";
import { Button, cx, EmptyState, ErrorState, LiveDot, LoadMore, StableGrid } from "@/ui";
import { CardShapes } from "./CardShapes";
import { LiveCard } from "./LiveCard";
import { Outdated } from "./Outdated";
import { phoneList } from "./phones";
import { useAgain } from "./useAgain";
import { useChosen } from "./useChosen";
import type { Answered } from "./useFound";
import { useGradually } from "./useGradually";
import { PAGE, useMore } from "./useMore";
import { WaysOn } from "./WaysOn";

/** The server counts no further where something narrows. */
const COUNTED = 10_000;

/** One column, two or three: beside the filters they stand closer. */
const COLUMNS = "grid gap-gap sm:grid-cols-2 lg:grid-cols-3 xl:gap-5";

/** How many phones a list has, in words. */
export function countIn({ ids = [], total }: ListFrame, narrowed: boolean): string {
  const most = Math.max(total, ids.length);
  return narrowed && most >= COUNTED ? t.countOrMore(COUNTED) : t.count(most);
}

interface Props {
  frame: ListFrame;
  shown: Answered | null;
  /** The filters that are set, beside the count. */
  chips: ReactNode;
  /** Looks for everything again. */
  onClear: () => void;
}

/** The phones that are looked for. Those of the question before stand, dimmed, until the answer is there. */
export function Found({ frame, shown, chips, onClear }: Props) {
  const { drawn, isWhole } = useGradually(shown?.frame.ids);
  return (
    <>
      {shown && drawn && (
        <div
          aria-busy={!frame.ids}
          className={cx("grid gap-6 transition-opacity", !frame.ids && "opacity-50")}
        >
          <Products {...shown} drawn={drawn} isWhole={isWhole} chips={chips} onClear={onClear} />
        </div>
      )}
      {frame.errorStatus === 404 && (
        <div role="alert">
          <EmptyState title={t.noSuchBrand}>
            <WaysOn />
          </EmptyState>
        </div>
      )}
      {frame.error !== undefined && frame.errorStatus !== 404 && (
        <ErrorState message={t.notLoaded(frame.error)} onRetry={frame.retry} busy={frame.isFetching} />
      )}
      {!drawn && frame.error === undefined && (
        // Under a bar as high as the grid's.
        <div className="pt-13">
          <CardShapes
            label={t.loadingPhones}
            onRetry={frame.retry}
            count={6}
            below="h-87"
            columns={COLUMNS}
          />
        </div>
      )}
    </>
  );
}

interface ProductsProps extends Answered, Pick<Props, "chips" | "onClear"> {
  /** Those of the list that are drawn by now, and whether they are all. */
  drawn: string[];
  isWhole: boolean;
}

function Products({ arg, frame, drawn, isWhole, chips, onClear }: ProductsProps) {
  const { ids = [], total, nextCursor } = frame;
  const more = useMore(() => phoneList.initiate({ ...arg, cursor: nextCursor ?? undefined }, PAGE));
  const query = useMemo(() => (arg.find ? readQuery(arg.find) : null), [arg.find]);
  const { round, isAsking, again } = useAgain(arg, frame.startedAt);
  const { onBook, onReport } = useChosen(arg.signedIn);
  const card = useCallback(
    (id: string, place: number) => (
      <LiveCard arg={arg} query={query} id={id} eager={place < 3} onBook={onBook} onReport={onReport} />
    ),
    [arg, query, onBook, onReport],
  );

  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that was pressed has gone with the list as it was.
    if (round > 0) place.current?.focus({ preventScroll: true });
  }, [round]);

  return (
    <div ref={place} tabIndex={-1} className="grid gap-6 outline-none">
      {ids.length === 0 && <Nothing arg={arg} onClear={onClear} />}
      {ids.length > 0 && (
        <StableGrid
          key={`${arg.find} ${round}`}
          keys={drawn}
          soon={isWhole ? 0 : ids.length}
          columns={COLUMNS}
          gone={query ? t.hasLeft : t.notForSale}
          bar={
            <div className="flex min-w-0 items-center gap-4">
              <p className="flex shrink-0 items-center gap-2.5 text-muted tabular-nums">
                <LiveDot className="text-ok" />
                {t.live(countIn(frame, query !== null))}
              </p>
              {chips}
              {query && <Outdated arg={arg} query={query} busy={isAsking} onAgain={again} />}
            </div>
          }
        >
          {card}
        </StableGrid>
      )}
      {ids.length > 0 && (
        // Has its room from the start, or it would push what stands below once all cards are drawn.
        <LoadMore
          shown={ids.length}
          total={total}
          hasMore={nextCursor !== null}
          endless
          {...more}
          busy={more.busy || !isWhole}
        />
      )}
    </div>
  );
}

function Nothing({ arg, onClear }: Pick<Answered, "arg"> & Pick<Props, "onClear">) {
  if (arg.find === "") {
    return (
      <EmptyState title={arg.brand === null ? t.noneAtAll : t.noneOfBrand}>{t.comeByThemselves}</EmptyState>
    );
  }
  return (
    <EmptyState title={t.noMatch}>
      <div className="grid justify-items-center gap-4">
        <p>{t.noMatchHint}</p>
        <Button variant="secondary" onClick={onClear}>
          {t.showAll}
        </Button>
      </div>
    </EmptyState>
  );
}
