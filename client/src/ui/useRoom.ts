import { type RefObject, useEffect, useLayoutEffect } from "react";

/** How long until groups are laid out, and their sizes known to the browser; milliseconds. */
const REST_MS = 1_000;

/** From how many items on most of a grid is out of sight, and drawing all of it would be felt. */
const MANY = 100;

/**
 * Lets the browser leave alone the groups of a long grid that are out of sight, once it has laid them out and knows
 * their size: a change there costs nothing until one comes near, and nothing moves.
 */
export function useRest(grid: RefObject<HTMLDivElement | null>, count: number): void {
  useEffect(() => {
    if (count < MANY) return;
    const timer = setTimeout(() => {
      for (const group of Array.from(grid.current?.children ?? [])) group.classList.add("rest");
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [grid, count]);
}

/** Gives a grid the height of so many items like its first one; 0 for that of those it has. */
export function useRoom(grid: RefObject<HTMLDivElement | null>, soon: number): void {
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
