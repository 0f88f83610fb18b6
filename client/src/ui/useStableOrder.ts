import { useRef, useState } from "react";
import { appendNew, countOutOfOrder } from "@/lib/stableOrder";

/**
 * Keeps the keys in the order in which they were first rendered: new keys are appended and removed keys keep their
 * index, so that a pushed change never moves what the user is about to press. `newCount` is the number of keys that
 * are out of order. `reset` applies the current order; it moves the focus to `container`, because the button that calls
 * it disappears.
 */
export function useStableOrder(keys: readonly string[]) {
  const [order, setOrder] = useState(keys);
  const orderedKeys = appendNew(order, keys);
  if (orderedKeys !== order) setOrder(orderedKeys);
  const container = useRef<HTMLDivElement>(null);
  const reset = () => {
    setOrder(keys);
    container.current?.focus({ preventScroll: true });
  };
  return { orderedKeys, newCount: countOutOfOrder(orderedKeys, keys), reset, container };
}
