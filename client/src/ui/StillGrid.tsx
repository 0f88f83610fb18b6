import { memo, type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import * as t from "@/texts/ui";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { useRest, useRoom } from "@/ui/useRoom";
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
