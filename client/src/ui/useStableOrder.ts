import { useRef, useState } from "react";
import { appendNew, countOutOfOrder } from "@/lib/stableOrder";

/**
 * Keeps the keys in the order in which they were first shown: new ones are appended and removed ones keep their
 * place, so that a pushed change never moves what the user is about to press. `newCount` is how many were appended.
 * `reset` applies the current order; it moves the focus to `container`, because the button that calls it disappears.
 */
export function useStableOrder(keys: readonly string[]) {
  const [order, setOrder] = useState(keys);
  const shown = appendNew(order, keys);
  if (shown !== order) setOrder(shown);
  const container = useRef<HTMLDivElement>(null);
  const reset = () => {
    setOrder(keys);
    container.current?.focus({ preventScroll: true });
  };
  return { shown, newCount: countOutOfOrder(shown, keys), reset, container };
}
