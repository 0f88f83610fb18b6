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
  header?: ReactNode;
  /** Shown in the place of a removed item. */
  removedText: string;
  /** Grid classes for one to four columns. */
  columns: string;
  /** On a phone the grid is a strip that scrolls sideways. */
  scrollsSideways?: boolean;
  /** The number of items when all are rendered; their height is reserved, so that nothing below moves. */
  expectedCount?: number;
  /** Renders one item; `index` counts from 0. A new function renders all items again. */
  children: (key: string, index: number) => ReactNode;
}

/**
 * A grid of cards in which a pushed change moves nothing: a removed card leaves an empty place and a new one is
 * appended. A button applies the current order. To start again with another list, give it another `key`.
 */
export function StableGrid({
  keys,
  header,
  removedText,
  columns,
  scrollsSideways = false,
  expectedCount = 0,
  children,
}: Props) {
  const { orderedKeys, newCount, reset, container } = useStableOrder(keys);
  const items = useRef<HTMLDivElement>(null);
  useSkipOffscreen(items, orderedKeys.length);
  useGridHeight(items, expectedCount);
  const present = new Set(keys);
  const isOutOfOrder = newCount > 0 || orderedKeys.length > keys.length;
  return (
    <div ref={container} tabIndex={-1} className="grid gap-3 outline-none">
      {/* The button takes room of the header only, and the width of the container stays. */}
      <div className="@container flex min-h-9 items-center justify-between gap-4 has-[ul]:items-start">
        <div className="min-w-0 flex-1">{header}</div>
        {isOutOfOrder && (
          <Button size="sm" variant="secondary" className="shrink-0" onClick={reset}>
            {newCount > 0 ? t.showNew(newCount) : t.closeGaps}
          </Button>
        )}
      </div>
      <div ref={items} className={scrollsSideways ? undefined : cx("content-start", columns, "grid-cols-1!")}>
        {groupKeys(orderedKeys, scrollsSideways ? orderedKeys.length : GROUP_SIZE).map((group, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups have no identity but their index
          <div key={number} className={cx("card-group content-start", columns)}>
            {group.map((key, index) => (
              <GridSlot
                key={key}
                name={key}
                index={number * GROUP_SIZE + index}
                isPresent={present.has(key)}
                removedText={removedText}
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
  index: number;
  isPresent: boolean;
  removedText: string;
  item: Props["children"];
}

/** Rendered again when its item is added or removed, not whenever the grid is. */
const GridSlot = memo(function GridSlot({ name, index, isPresent, removedText, item }: GridSlotProps) {
  const lastLayout = useRef<LastLayout>({ height: 0, focused: false });
  if (isPresent) return <Item lastLayout={lastLayout}>{item(name, index)}</Item>;
  return <RemovedItem text={removedText} lastLayout={lastLayout} />;
});

function Item({ lastLayout, children }: { lastLayout: RefObject<LastLayout>; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const card = element.current;
    // React runs this clean-up before it removes the element, so the element can still be measured.
    return () => {
      if (!card) return;
      lastLayout.current = { height: card.offsetHeight, focused: card.contains(document.activeElement) };
    };
  }, [lastLayout]);
  return (
    <div ref={element} className="grid min-w-0">
      {children}
    </div>
  );
}

function RemovedItem({ text, lastLayout }: { text: string; lastLayout: RefObject<LastLayout> }) {
  const element = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const { height, focused } = lastLayout.current;
    if (!element.current) return;
    element.current.style.minHeight = `${height}px`;
    if (focused) element.current.focus({ preventScroll: true });
  }, [lastLayout]);
  return (
    <p
      ref={element}
      tabIndex={-1}
      className="grid place-items-center rounded-md border border-edge border-dashed px-4 text-center text-muted"
    >
      {text}
    </p>
  );
}
