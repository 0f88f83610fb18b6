import { useEffect, useRef, useState } from "react";

/** The step of an arrow key in the direction of the text, 1 or -1; undefined for any other key. */
export function stepOfKey(key: string, element: Element): number | undefined {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  return step && getComputedStyle(element).direction === "rtl" ? -step : step;
}

/** A strip of photos that scrolls sideways, and which of them is in sight; `start` is the first to be shown. */
export function usePhotoStrip(count: number, start = 0) {
  const strip = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(start);
  // While the strip scrolls to this photo, the photos that it passes are ignored.
  const goal = useRef<number | null>(null);

  const leftOf = (element: HTMLElement, index: number) =>
    (getComputedStyle(element).direction === "rtl" ? -1 : 1) * index * element.clientWidth;

  // biome-ignore lint/correctness/useExhaustiveDependencies: only where it starts
  useEffect(() => {
    const element = strip.current;
    if (element && start > 0) element.scrollTo?.({ left: leftOf(element, start), behavior: "instant" });
  }, []);

  const show = (index: number) => {
    const element = strip.current;
    if (!element || index < 0 || index >= count) return;
    goal.current = index;
    setCurrent(index);
    element.scrollLeft = leftOf(element, index);
  };
  const onScroll = () => {
    const element = strip.current;
    if (!element || element.clientWidth === 0) return;
    const offset = Math.abs(element.scrollLeft) / element.clientWidth;
    const index = Math.round(offset);
    if (goal.current === null) setCurrent(index);
    else if (Math.abs(offset - goal.current) < 0.02) goal.current = null;
  };
  return { strip, current, show, onScroll };
}
