import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import * as t from "@/texts/ui";
import { Button } from "@/ui/Button";
import { useStill } from "@/ui/useStill";

interface Props {
  /** The items' keys, in their right order. */
  keys: readonly string[];
  /** Stands over the grid, at its start: how many there are, filters. */
  bar?: ReactNode;
  /** Stands where an item was that has gone. */
  gone: string;
  /** How the items stand beside each other, as classes. */
  columns?: string;
  /** One item; `place` counts from 0. */
  children: (key: string, place: number) => ReactNode;
}

/** One, two or three columns by width; also for the shapes of what is loading. */
export const GRID = "grid gap-gap sm:grid-cols-2 lg:grid-cols-3";

/**
 * A grid of cards in which nothing moves by itself: a card that goes leaves its place behind, one that
 * comes is put at the end, so that nobody presses a button that has just slipped under their finger. A
 * button brings the right order. It starts in the right order, so give it a `key` that changes with the list.
 */
export function StillGrid({ keys, bar, gone, columns = GRID, children }: Props) {
  const { shown, late, tidy, whole } = useStill(keys);
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
      <div className={columns}>
        {shown.map((key, place) => (
          <Place key={key} gone={gone}>
            {here.has(key) && children(key, place)}
          </Place>
        ))}
      </div>
    </div>
  );
}

/** What a card leaves behind: its height in pixels, and whether the focus was in it. */
interface Left {
  height: number;
  focused: boolean;
}

function Place({ gone, children }: { gone: string; children: ReactNode }) {
  const left = useRef<Left>({ height: 0, focused: false });
  if (children) return <Taken left={left}>{children}</Taken>;
  return <Empty words={gone} left={left} />;
}

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
