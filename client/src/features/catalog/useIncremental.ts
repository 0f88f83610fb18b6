import { startTransition, useEffect, useMemo, useState } from "react";

/** As many as the shapes that have stood for them: all that is in sight comes in one step, and nothing moves. */
const FIRST = 6;
/** So many more in each further step: laid out and painted well within the time that a finger waits. */
const STEP = 3;

/** Whether a list has been drawn whole on this visit. */
let hasRenderedList = false;

/**
 * A list to draw in steps, each a task of its own that leaves the page free between two, so that a hundred cards which
 * come at once never hold it; none until the first step. A list that was there when somebody came from another screen is
 * drawn at once: they may be back, and want to be where they were. So is what has changed meanwhile,
 * and a list so short that it is one step.
 */
export function useIncremental(ids: string[] | undefined) {
  const [begun, begin] = useState(hasRenderedList ? ids : undefined);
  const [count, setCount] = useState(begun ? Number.POSITIVE_INFINITY : 0);
  if (!begun && ids) begin(ids);
  const isFew = ids !== undefined && ids.length <= FIRST;
  const isWhole = !ids || isFew || (begun !== undefined && ids !== begun) || count >= ids.length;
  useEffect(() => {
    // Once the step before has been painted; whatever else happens goes first.
    if (!isWhole) startTransition(() => setCount(count === 0 ? FIRST : count + STEP));
    else if (ids) hasRenderedList = true;
  }, [isWhole, count, ids]);
  const drawn = useMemo(
    () => (isWhole ? ids : count > 0 ? ids.slice(0, count) : undefined),
    [isWhole, ids, count],
  );
  return { drawn, isWhole };
}
