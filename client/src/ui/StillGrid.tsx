import { memo, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import * as t from "@/texts/ui";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { useStill } from "@/ui/useStill";

interface Props {
  /** The items' keys, in their right order. */
  keys: readonly string[];
  /** Stands over the grid, at its start: how many there are, filters. */
  bar?: ReactNode;
  /** Stands where an item was that has gone. */
  gone: string;
  /** How the items stand beside each other, as classes: in one, two or three columns. */
  columns?: string;
  /** On a phone they stand in a strip to swipe through. */
  swipes?: boolean;
  /** How many items there will be in a moment: they have their room already, so that nothing below moves. */
  soon?: number;
  /** One item; `place` counts from 0. Items are drawn again where it is another function. */
  children: (key: string, place: number) => ReactNode;
}

/** One, two or three columns by width; also for the shapes of what is loading. */
export const GRID = "grid gap-gap sm:grid-cols-2 lg:grid-cols-3";

/**
 * A grid of cards in which nothing moves by itself: a card that goes leaves its place behind, one that
 * comes is put at the end, so that nobody presses a button that has just slipped under their finger. A
 * button brings the right order. It starts in the right order, so give it a `key` that changes with the list.
 */
export function StillGrid({ keys, bar, gone, columns = GRID, swipes = false, soon = 0, children }: Props) {
  const { shown, late, tidy, whole } = useStill(keys);
  const items = useRef<HTMLDivElement>(null);
  useRest(items, shown.length);
  useRoom(items, soon);
  const here = new Set(keys);
  const isUntidy = late > 0 || shown.length > keys.length;
  return (
    <div ref={whole} tabIndex={-1} className="grid gap-4 outline-none">
      <div className="flex min-h-9 items-center justify-between gap-4">
        <div className="min-w-0 flex-1">{bar}</div>
        {isUntidy && (
          <Button size="sm" variant="secondary" className="shrink-0" onClick={tidy}>
            {late > 0 ? t.showNew(late) : t.closeGaps}
          </Button>
        )}
      </div>
      <div ref={items} className={swipes ? undefined : cx("content-start", columns, "grid-cols-1!")}>
        {groupsOf(shown, swipes ? shown.length : GROUP).map((group, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a group is nothing but its place
          <div key={number} className={cx("place content-start", columns)}>
            {group.map((key, place) => (
              <Place
                key={key}
                name={key}
                place={number * GROUP + place}
                isHere={here.has(key)}
                gone={gone}
                item={children}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/**
 * So many items are a grid of their own below the one before: whole rows of one, two and three columns. What changes in
 * an item has its grid laid out anew; of thousands that takes longer than a finger waits.
 */
const GROUP = 6;

function groupsOf(keys: readonly string[], size: number): (readonly string[])[] {
  return Array.from({ length: Math.ceil(keys.length / size) }, (_, number) =>
    keys.slice(number * size, (number + 1) * size),
  );
}

/** What a card leaves behind: its height in pixels, and whether the focus was in it. */
interface Left {
  height: number;
  focused: boolean;
}

/** How long until groups are laid out, and their sizes known to the browser; milliseconds. */
const REST_MS = 1_000;

/** From how many items on most of a grid is out of sight, and drawing all of it would be felt. */
const MANY = 100;

/**
 * Lets the browser leave alone the groups of a long grid that are out of sight, once it has laid them out and knows
 * their size: a change there costs nothing until one comes near, and nothing moves.
 */
function useRest(grid: RefObject<HTMLDivElement | null>, count: number): void {
  useEffect(() => {
    if (count < MANY) return;
    const timer = setTimeout(() => {
      for (const group of Array.from(grid.current?.children ?? [])) group.classList.add("rest");
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [grid, count]);
}

/** Gives a grid the height of so many items like its first one; 0 for that of those it has. */
function useRoom(grid: RefObject<HTMLDivElement | null>, soon: number): void {
  useLayoutEffect(() => {
    const element = grid.current;
    const group = element?.firstElementChild;
    const first = group?.firstElementChild;
    if (!element || !group || !(first instanceof HTMLElement) || soon === 0) return;
    const { gridAutoFlow, gridTemplateColumns, rowGap } = getComputedStyle(group);
    if (gridAutoFlow.startsWith("column")) return; // which is as high as it will be
    const rows = Math.ceil(soon / gridTemplateColumns.split(" ").length);
    const gap = Number.parseFloat(rowGap) || 0;
    element.style.minHeight = `${rows * (first.offsetHeight + gap) - gap}px`;
    return () => {
      element.style.minHeight = "";
    };
  }, [grid, soon]);
}

interface PlaceProps {
  name: string;
  place: number;
  isHere: boolean;
  gone: string;
  item: Props["children"];
}

/** Drawn again when its item comes or goes, and not whenever the grid is. */
const Place = memo(function Place({ name, place, isHere, gone, item }: PlaceProps) {
  const left = useRef<Left>({ height: 0, focused: false });
  if (isHere) return <Taken left={left}>{item(name, place)}</Taken>;
  return <Empty words={gone} left={left} />;
});

function Taken({ left, children }: { left: RefObject<Left>; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const card = element.current;
    // React takes effects down before it removes the element, so it can still be measured.
    return () => {
      if (!card) return;
      left.current = { height: card.offsetHeight, focused: card.contains(document.activeElement) };
    };
  }, [left]);
  return (
    <div ref={element} className="grid min-w-0">
      {children}
    </div>
  );
}

function Empty({ words, left }: { words: string; left: RefObject<Left> }) {
  const element = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const { height, focused } = left.current;
    if (!element.current) return;
    element.current.style.minHeight = `${height}px`;
    if (focused) element.current.focus({ preventScroll: true });
  }, [left]);
  return (
    <p
      ref={element}
      tabIndex={-1}
      className="grid place-items-center rounded-lg border border-edge border-dashed px-4 text-center text-muted"
    >
      {words}
    </p>
  );
}
