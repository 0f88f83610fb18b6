import { type PointerEvent, useEffect, useEffectEvent, useState } from "react";

/** The attribute of rows that can be dragged; its value is the row's key. */
export const ROW_ATTRIBUTE = "data-row";

interface Drag {
  /** The key of the dragged row; null while none is dragged. */
  dragged: string | null;
  /** The props of a row's drag handle. */
  handleProps: (key: string) => { onPointerDown: (event: PointerEvent) => void };
}

/**
 * Reorders rows by dragging, with the mouse or a finger. `onOver` is called with each index that the dragged row is moved
 * to, `onEnd` once when it is dropped.
 */
export function useDragOrder(
  onOver: (key: string, index: number) => void,
  onEnd: (key: string) => void,
): Drag {
  const [dragged, setDragged] = useState<string | null>(null);
  const moveOver = useEffectEvent(({ clientX, clientY }: globalThis.PointerEvent) => {
    const row = document.elementFromPoint(clientX, clientY)?.closest(`[${ROW_ATTRIBUTE}]`);
    if (!row || !dragged || row.getAttribute(ROW_ATTRIBUTE) === dragged) return;
    const rows = [...(row.parentElement?.querySelectorAll(`[${ROW_ATTRIBUTE}]`) ?? [])];
    if (rows.some((other) => other.getAttribute(ROW_ATTRIBUTE) === dragged))
      onOver(dragged, rows.indexOf(row));
  });
  const end = useEffectEvent(() => {
    if (dragged) onEnd(dragged);
    setDragged(null);
  });
  useEffect(() => {
    if (dragged === null) return;
    // On the window, because the row itself may lose the pointer while it is moved.
    const controller = new AbortController();
    const { signal } = controller;
    window.addEventListener("pointermove", (event) => moveOver(event), { signal });
    for (const type of ["pointerup", "pointercancel"]) window.addEventListener(type, () => end(), { signal });
    return () => controller.abort();
  }, [dragged]);
  const handleProps = (key: string) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      // Prevents selecting text and dragging the image.
      event.preventDefault();
      setDragged(key);
    },
  });
  return { dragged, handleProps };
}
