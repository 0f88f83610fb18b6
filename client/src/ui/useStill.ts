import { useRef, useState } from "react";
import { countLate, keepStill } from "@/lib/still";

/**
 * The keys in the order of showing: each keeps its place while the list changes, and new ones come last,
 * so that nothing slips from under a finger. `tidy` brings the right order; the button that calls it goes with
 * that, so the focus goes to `whole`, which stands around all of it.
 */
export function useStill(keys: readonly string[]) {
  const [held, setHeld] = useState(keys);
  const shown = keepStill(held, keys);
  if (shown !== held) setHeld(shown);
  const whole = useRef<HTMLDivElement>(null);
  const tidy = () => {
    setHeld(keys);
    whole.current?.focus({ preventScroll: true });
  };
  return { shown, late: countLate(shown, keys), tidy, whole };
}
