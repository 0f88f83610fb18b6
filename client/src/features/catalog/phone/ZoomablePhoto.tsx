import { type DragEvent, type MouseEvent, type PointerEvent, useLayoutEffect, useRef } from "react";
import { cx, Picture } from "@/ui";
import type { GalleryPhoto } from "./Gallery";

/** A mouse that moves further than this many pixels drags, and does not press. */
const DRAG_PX = 4;

interface Props {
  photo: GalleryPhoto;
  /** How many times as large as the window it is. */
  zoom: number;
  /** A press on the photo. */
  onPress: () => void;
}

/** A photo in its full size that scrolls when it is larger than the window, around the point that was in the middle. */
export function ZoomablePhoto({ photo: { url, width, height, blur, alt }, zoom, onPress }: Props) {
  const box = useRef<HTMLDivElement>(null);
  /** The point in the middle, as parts of the photo's width and height. */
  const middle = useRef({ x: 0.5, y: 0.5 });
  const { isDrag, ...drag } = useDrag(box, zoom > 1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the zoom
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const { x, y } = middle.current;
    element.scrollLeft = x * element.scrollWidth - element.clientWidth / 2;
    element.scrollTop = y * element.scrollHeight - element.clientHeight / 2;
  }, [zoom]);

  const pointAt = (element: HTMLElement, left: number, top: number) => {
    middle.current = {
      x: (element.scrollLeft + left) / element.scrollWidth,
      y: (element.scrollTop + top) / element.scrollHeight,
    };
  };
  const onClick = (event: MouseEvent) => {
    const element = box.current;
    if (!element || isDrag()) return;
    const { left, top } = element.getBoundingClientRect();
    if (zoom === 1) pointAt(element, event.clientX - left, event.clientY - top);
    onPress();
  };
  return (
    <div
      ref={box}
      onScroll={({ currentTarget: one }) => pointAt(one, one.clientWidth / 2, one.clientHeight / 2)}
      className="size-full shrink-0 snap-center overflow-auto"
    >
      {/* The keyboard has the buttons below for it. */}
      <button
        type="button"
        tabIndex={-1}
        onClick={onClick}
        {...drag}
        style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }}
        className={cx("block", zoom > 1 ? "cursor-grab!" : "cursor-zoom-in!")}
      >
        <Picture photo={{ url, width, height, blur }} alt={alt} ratio="fill" className="p-2" />
      </button>
    </div>
  );
}

/** Moves the photo with the mouse; a touch scrolls it anyway. */
function useDrag(box: { current: HTMLElement | null }, isOn: boolean) {
  const from = useRef<{ x: number; y: number } | null>(null);
  const moved = useRef(false);
  return {
    /** Whether the click that ends it was a drag. */
    isDrag: () => moved.current,
    // The browser's own dragging of images would end the pointer's events.
    onDragStart: (event: DragEvent) => event.preventDefault(),
    onPointerDown: (event: PointerEvent) => {
      moved.current = false;
      from.current = isOn && event.pointerType === "mouse" ? { x: event.clientX, y: event.clientY } : null;
    },
    onPointerMove: (event: PointerEvent) => {
      const start = from.current;
      if (!start || event.buttons === 0) return;
      if (Math.hypot(event.clientX - start.x, event.clientY - start.y) > DRAG_PX) moved.current = true;
      if (moved.current) box.current?.scrollBy(-event.movementX, -event.movementY);
    },
  };
}
