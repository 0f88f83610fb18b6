import { startTransition, useEffect, useMemo, useState } from "react";

/** The first step renders as many items as there were skeletons, so that nothing moves. */
const FIRST = 6;
/** The items of each further step: few enough to keep the page responsive. */
const STEP = 3;

/** Whether a list has been rendered completely since the page was loaded. */
let hasRenderedList = false;

/**
 * Renders a list in steps, each as a transition, so that a hundred new cards do not block the page. A list that is in
 * the cache when the user returns to a screen is rendered at once, so that the scroll position can be restored; so are
 * later changes and short lists.
 */
export function useIncremental(ids: string[] | undefined) {
  const [initialIds, setInitialIds] = useState(hasRenderedList ? ids : undefined);
  const [count, setCount] = useState(initialIds ? Number.POSITIVE_INFINITY : 0);
  if (!initialIds && ids) setInitialIds(ids);
  const isFew = ids !== undefined && ids.length <= FIRST;
  const isFullyRendered =
    !ids || isFew || (initialIds !== undefined && ids !== initialIds) || count >= ids.length;
  useEffect(() => {
    // Runs after the previous step has been painted, with low priority.
    if (!isFullyRendered) startTransition(() => setCount(count === 0 ? FIRST : count + STEP));
    else if (ids) hasRenderedList = true;
  }, [isFullyRendered, count, ids]);
  const renderedIds = useMemo(
    () => (isFullyRendered ? ids : count > 0 ? ids.slice(0, count) : undefined),
    [isFullyRendered, ids, count],
  );
  return { renderedIds, isFullyRendered };
}
