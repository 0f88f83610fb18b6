import { memo, type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import * as t from "@/texts/ui";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { useGridHeight, useSkipOffscreen } from "@/ui/useGridHeight";
import { useStableOrder } from "@/ui/useStableOrder";

interface Props {
  /** The keys of the items, in their current order. */
  keys: readonly string[];
  /** Content above the grid: the count, the active filters. */
  bar?: ReactNode;
  /** Shown in the place of a removed item. */
  gone: string;
  /** Grid classes for one to four columns. */
  columns: string;
  /** On a phone the grid is a strip that scrolls sideways. */
  swipes?: boolean;
  /** How many items there will be in a moment; their height is reserved, so that nothing below moves. */
  soon?: number;
  /** Renders one item; `place` counts from 0. A new function renders all items again. */
  children: (key: string, place: number) => ReactNode;
}

/**
 * A grid of cards in which a pushed change moves nothing: a removed card leaves an empty slot and a new one is
 * appended. A button applies the current order. To start again with another list, give it another `key`.
 */
export function StableGrid({ keys, bar, gone, columns, swipes = false, soon = 0, children }: Props) {
  const { shown, newCount, reset, container } = useStableOrder(keys);
  const items = useRef<HTMLDivElement>(null);
  useSkipOffscreen(items, shown.length);
  useGridHeight(items, soon);
  const present = new Set(keys);
  const isOutOfOrder = newCount > 0 || shown.length > keys.length;
  return (
    <div ref={container} tabIndex={-1} className="grid gap-3 outline-none">
      <div className="flex min-h-9 items-center justify-between gap-4">
        <div className="min-w-0 flex-1">{bar}</div>
        {isOutOfOrder && (
          <Button size="sm" variant="secondary" className="shrink-0" onClick={reset}>
            {newCount > 0 ? t.showNew(newCount) : t.removeEmptyPlaces}
          </Button>
        )}
      </div>
      <div ref={items} className={swipes ? undefined : cx("content-start", columns, "grid-cols-1!")}>
        {groupKeys(shown, swipes ? shown.length : GROUP_SIZE).map((group, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups have no identity but their index
          <div key={number} className={cx("place content-start", columns)}>
            {group.map((key, place) => (
              <GridSlot
                key={key}
                name={key}
                place={number * GROUP_SIZE + place}
                isPresent={present.has(key)}
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
 * Items per inner grid: whole rows of one to four columns. A change in an item makes the browser lay out its
 * whole grid again, which is slow with thousands of items; with groups it lays out one group only.
 */
const GROUP_SIZE = 12;

function groupKeys(keys: readonly string[], size: number): (readonly string[])[] {
  return Array.from({ length: Math.ceil(keys.length / size) }, (_, number) =>
    keys.slice(number * size, (number + 1) * size),
  );
}

/** The height in pixels of a removed item, and whether the focus was in it. */
interface LastLayout {
  height: number;
  focused: boolean;
}

interface GridSlotProps {
  name: string;
  place: number;
  isPresent: boolean;
  gone: string;
  item: Props["children"];
}

/** Rendered again when its item is added or removed, not whenever the grid is. */
const GridSlot = memo(function Place({ name, place, isPresent, gone, item }: GridSlotProps) {
  const left = useRef<LastLayout>({ height: 0, focused: false });
  if (isPresent) return <Item left={left}>{item(name, place)}</Item>;
  return <RemovedItem words={gone} left={left} />;
});

function Item({ left, children }: { left: RefObject<LastLayout>; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const card = element.current;
    // React runs this clean-up before it removes the element, so the element can still be measured.
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

function RemovedItem({ words, left }: { words: string; left: RefObject<LastLayout> }) {
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
      className="grid place-items-center rounded-md border border-edge border-dashed px-4 text-center text-muted"
    >
      {words}
    </p>
  );
}
