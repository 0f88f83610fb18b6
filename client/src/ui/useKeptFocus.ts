import { type FocusEvent, useLayoutEffect, useRef } from "react";

/**
 * For an element of which a pushed event may remove the control that has the focus. The parts with tabIndex -1, such as
 * labels, rows and a heading, get the focus then: the part that contained the control, the next one if it was removed
 * too, or the last one. A control outside of all parts is replaced by the first part, or by the first button or link. If
 * nothing is left, the main element gets the focus. A removed element sends no blur event.
 */
export function useKeptFocus<T extends HTMLElement>() {
  const ref = useRef<T>(null);
  const hadFocus = useRef(false);
  /** The index of the innermost part that contains the control; -1 for none. */
  const index = useRef(-1);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!hadFocus.current || !element) return;
    if (element.contains(document.activeElement)) {
      index.current = indexOf(partsOf(element), document.activeElement);
      return;
    }
    const parts = partsOf(element);
    const target =
      parts[Math.min(Math.max(index.current, 0), parts.length - 1)] ??
      element.querySelector<HTMLElement>("button:enabled, a[href]") ??
      document.getElementById("main");
    target?.focus({ preventScroll: true });
  });
  return {
    ref,
    onFocus: ({ target, currentTarget }: FocusEvent) => {
      hadFocus.current = true;
      index.current = indexOf(partsOf(currentTarget), target);
    },
    onBlur: ({ target }: FocusEvent) => {
      // When the whole window loses the focus, the element is still the active one.
      hadFocus.current = document.activeElement === target;
    },
  };
}

const partsOf = (element: Element) => Array.from(element.querySelectorAll<HTMLElement>("[tabindex='-1']"));
const indexOf = (parts: HTMLElement[], control: Element | null) =>
  parts.findLastIndex((part) => part.contains(control));
