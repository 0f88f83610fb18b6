import { type FocusEvent, useLayoutEffect, useRef } from "react";

/**
 * For an element whose button a pushed event may replace: if the button had the focus, the label in its place gets it,
 * or the next button. A removed element sends no blur event.
 */
export function useKeptFocus<T extends HTMLElement>() {
  const place = useRef<T>(null);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const element = place.current;
    if (!hadFocus.current || !element || element.contains(document.activeElement)) return;
    const target =
      element.querySelector<HTMLElement>("[tabindex='-1']") ??
      element.querySelector<HTMLElement>("button:enabled, a[href]");
    target?.focus({ preventScroll: true });
  });
  return {
    ref: place,
    onFocus: () => {
      hadFocus.current = true;
    },
    onBlur: ({ target }: FocusEvent) => {
      // When the whole window loses the focus, the element is still the active one.
      hadFocus.current = document.activeElement === target;
    },
  };
}
