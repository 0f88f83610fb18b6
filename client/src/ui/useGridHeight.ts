import { type RefObject, useEffect, useLayoutEffect } from "react";

/** Milliseconds after which the browser has laid out the groups and knows their sizes. */
const LAYOUT_DELAY_MS = 1_000;

/** The number of items from which skipping off-screen groups makes a difference. */
const MIN_ITEMS = 100;

function isOutOfSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom < 0 || top > window.innerHeight;
}

/**
 * Lets the browser skip the off-screen groups of a long grid (the class skip-offscreen sets content-visibility). It waits until
 * the groups have been laid out once, so that the browser knows their sizes and nothing moves; Chromium would count a
 * layout shift of 0.1 for the groups in sight.
 */
export function useSkipOffscreen(grid: RefObject<HTMLDivElement | null>, count: number): void {
  useEffect(() => {
    if (count < MIN_ITEMS) return;
    const timer = setTimeout(() => {
      for (const group of Array.from(grid.current?.children ?? [])) {
        if (isOutOfSight(group)) group.classList.add("skip-offscreen");
      }
    }, LAYOUT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [grid, count]);
}

/** Reserves the height of `count` items like the first one; 0 reserves nothing. */
export function useGridHeight(grid: RefObject<HTMLDivElement | null>, count: number): void {
  useLayoutEffect(() => {
    const element = grid.current;
    const group = element?.firstElementChild;
    const first = group?.firstElementChild;
    if (!element || !group || !(first instanceof HTMLElement) || count === 0) return;
    const { gridAutoFlow, gridTemplateColumns, rowGap } = getComputedStyle(group);
    if (gridAutoFlow.startsWith("column")) return; // a strip has its final height already
    const rows = Math.ceil(count / gridTemplateColumns.split(" ").length);
    const gap = Number.parseFloat(rowGap) || 0;
    element.style.minHeight = `${rows * (first.offsetHeight + gap) - gap}px`;
    return () => {
      element.style.minHeight = "";
    };
  }, [grid, count]);
}
