import { type PointerEvent, useEffect, useEffectEvent, useState } from "react";

/** Marks the rows between which one is dragged; its value is the row's key. */
export const ROW = "data-row";

interface Drag {
  /** Whose row this is; null while none is dragged. */
  dragged: string | null;
  /** For a row's grip. */
  grip: (key: string) => { onPointerDown: (event: PointerEvent) => void };
}

/**
 * Puts rows in order by the pointer, mouse and finger alike. `onOver` is told of the place that the dragged
 * row has come to, again and again; `onEnd` once, when it is let go.
 */
export function useDragOrder(
  onOver: (key: string, place: number) => void,
  onEnd: (key: string) => void,
): Drag {
  const [dragged, drag] = useState<string | null>(null);
  const over = useEffectEvent(({ clientX, clientY }: globalThis.PointerEvent) => {
    const row = document.elementFromPoint(clientX, clientY)?.closest(`[${ROW}]`);
    if (!row || !dragged || row.getAttribute(ROW) === dragged) return;
    const rows = [...(row.parentElement?.querySelectorAll(`[${ROW}]`) ?? [])];
    if (rows.some((other) => other.getAttribute(ROW) === dragged)) onOver(dragged, rows.indexOf(row));
  });
  const end = useEffectEvent(() => {
    if (dragged) onEnd(dragged);
    drag(null);
  });
  useEffect(() => {
    if (dragged === null) return;
    // Of the window: while a row changes its place, its own listeners may lose the pointer.
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener("pointermove", (event) => over(event), { signal });
    for (const what of ["pointerup", "pointercancel"]) window.addEventListener(what, () => end(), { signal });
    return () => listening.abort();
  }, [dragged]);
  const grip = (key: string) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      // Neither selects the text on the way nor picks up the picture.
      event.preventDefault();
      drag(key);
    },
  });
  return { dragged, grip };
}
