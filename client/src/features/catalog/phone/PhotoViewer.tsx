import { useEffect, useEffectEvent, useState } from "react";
import * as t from "@/texts/catalog";
import { cx, Dialog, IconButton } from "@/ui";
import { NextIcon } from "@/ui/icons";
import type { GalleryPhoto } from "./Gallery";
import { stepOfKey, usePhotoStrip } from "./usePhotoStrip";
import { ZoomablePhoto } from "./ZoomablePhoto";
import { ZoomInIcon, ZoomOutIcon } from "./zoomIcons";

/** How many times as large as the window a photo is shown at most; each step doubles it. */
const MAX_ZOOM = 4;

interface Props {
  photos: readonly GalleryPhoto[];
  /** The index of the photo that is shown first. */
  start: number;
  /** The phone's name. */
  name: string;
  /** Called with the index of the photo that was shown last. */
  onClose: (index: number) => void;
}

/**
 * The photos as large as the window, in their full size: swiped, by buttons or by the arrow keys. A press, + and -
 * zoom; a zoomed photo is moved by scrolling, dragging or the arrow keys.
 */
export default function PhotoViewer({ photos, start, name, onClose }: Props) {
  const { strip, current, show, onScroll } = usePhotoStrip(photos.length, start);
  const [zoom, setZoom] = useState(1);
  const zoomTo = (next: number) => setZoom(Math.min(MAX_ZOOM, Math.max(1, next)));
  const goTo = (index: number) => {
    setZoom(1);
    show(index);
  };
  useKeys((key) => {
    const step = strip.current && stepOfKey(key, strip.current);
    if (key === "+" || key === "=") zoomTo(zoom * 2);
    else if (key === "-") zoomTo(zoom / 2);
    else if (zoom === 1 && step) goTo(current + step);
    else if (zoom > 1 && ARROWS[key]) strip.current?.children[current]?.scrollBy?.(ARROWS[key]);
    else return false;
    return true;
  });
  return (
    <Dialog open isFull title={name} onClose={() => onClose(current)}>
      <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto]">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls, and these are pictures */}
        <div
          ref={strip}
          role="group"
          aria-label={t.placeOf(current + 1, photos.length)}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys
          tabIndex={0}
          data-autofocus
          onScroll={onScroll}
          className={cx(
            "flex snap-x snap-mandatory scroll-smooth bg-photo [scrollbar-width:none] focus-visible:-outline-offset-4 motion-reduce:scroll-auto",
            zoom > 1 ? "overflow-x-hidden" : "overflow-x-auto",
          )}
        >
          {photos.map((photo, index) => (
            <ZoomablePhoto
              key={photo.url}
              photo={photo}
              zoom={index === current ? zoom : 1}
              onPress={() => zoomTo(zoom > 1 ? 1 : 2)}
            />
          ))}
        </div>
        <Buttons current={current} count={photos.length} goTo={goTo} zoom={zoom} zoomTo={zoomTo} />
      </div>
    </Dialog>
  );
}

interface ButtonsProps {
  current: number;
  count: number;
  goTo: (place: number) => void;
  zoom: number;
  zoomTo: (zoom: number) => void;
}

/** The buttons below the photos: to the other photos if there are any, and to zoom. */
function Buttons({ current, count, goTo, zoom, zoomTo }: ButtonsProps) {
  return (
    <div className="flex items-center justify-center gap-2 border-line border-t p-2 pb-[calc(0.5rem+env(safe-area-inset-bottom))]">
      {count > 1 && (
        <>
          <IconButton label={t.previous} disabled={current === 0} onClick={() => goTo(current - 1)}>
            <NextIcon className="size-5 rotate-180 rtl:rotate-0" />
          </IconButton>
          <p className="min-w-28 text-center text-sm tabular-nums">{t.placeOf(current + 1, count)}</p>
          <IconButton label={t.next} disabled={current === count - 1} onClick={() => goTo(current + 1)}>
            <NextIcon className="size-5 rtl:rotate-180" />
          </IconButton>
        </>
      )}
      <IconButton label={t.zoomOut} disabled={zoom === 1} onClick={() => zoomTo(zoom / 2)}>
        <ZoomOutIcon />
      </IconButton>
      <IconButton label={t.zoomIn} disabled={zoom === MAX_ZOOM} onClick={() => zoomTo(zoom * 2)}>
        <ZoomInIcon />
      </IconButton>
    </div>
  );
}

/** The pixels by which an arrow key moves a zoomed photo. */
const ARROWS: Record<string, ScrollToOptions> = {
  ArrowLeft: { left: -80 },
  ArrowRight: { left: 80 },
  ArrowUp: { top: -80 },
  ArrowDown: { top: 80 },
};

/** Calls it for every key without a modifier, wherever in the dialog the focus is; it returns whether it has used the key. */
function useKeys(onKey: (key: string) => boolean): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (onKey(event.key)) event.preventDefault();
  });
  useEffect(() => {
    document.addEventListener("keydown", handle);
    return () => document.removeEventListener("keydown", handle);
  }, []);
}
