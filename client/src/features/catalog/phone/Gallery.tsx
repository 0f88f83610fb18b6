import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import * as t from "@/texts/catalog";
import { cx, IconButton, type Photograph, Picture } from "@/ui";
import { NextIcon } from "@/ui/icons";

interface Props {
  photos: readonly (Photograph & { alt: string })[];
  /** What is to be seen, where a photograph does not say so itself. */
  name: string;
  /** What lies on the photographs. */
  mark: ReactNode;
}

/** A phone's photographs, one at a time: swiped, by the arrow keys, by the buttons or by the small ones below. */
export function Gallery({ photos: all, name, mark }: Props) {
  // Nothing keeps a seller from naming one picture twice.
  const photos = [...new Map(all.map((photo) => [photo.url, photo])).values()];
  const { strip, current, show, onScroll, onKeyDown } = useStrip(photos.length);
  const alone = photos.length < 2;
  return (
    <section aria-label={t.photographs} className="grid min-w-0 gap-3">
      <div className="relative overflow-hidden rounded-xl">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls, and these are pictures */}
        <div
          ref={strip}
          role="group"
          aria-label={alone ? t.photograph : t.placeOf(current + 1, photos.length)}
          tabIndex={alone ? undefined : 0}
          onScroll={onScroll}
          onKeyDown={onKeyDown}
          className="flex snap-x snap-mandatory overflow-x-auto scroll-smooth rounded-xl [scrollbar-width:none] focus-visible:-outline-offset-4 motion-reduce:scroll-auto"
        >
          {photos.map((photo, place) => (
            <Picture
              key={photo.url}
              photo={photo}
              sizes="(min-width: 64rem) 46rem, 100vw"
              alt={photo.alt || (alone ? t.photographOf(name) : t.photographNumber(place + 1, name))}
              ratio="landscape"
              eager={place === 0}
              className="w-full shrink-0 snap-center p-5 sm:p-8"
            />
          ))}
        </div>
        {mark}
        {!alone && <StepButtons current={current} count={photos.length} show={show} />}
      </div>
      {!alone && <Thumbnails photos={photos} current={current} show={show} />}
    </section>
  );
}

/** The strip that scrolls, and which of its photographs is in sight. */
function useStrip(count: number) {
  const strip = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  // While the strip is on its way to this one, those it passes are not the one in sight.
  const goal = useRef<number | null>(null);

  const show = (place: number) => {
    const element = strip.current;
    if (!element || place < 0 || place >= count) return;
    const way = getComputedStyle(element).direction === "rtl" ? -1 : 1;
    goal.current = place;
    setCurrent(place);
    element.scrollLeft = way * place * element.clientWidth;
  };
  const onScroll = () => {
    const element = strip.current;
    if (!element || element.clientWidth === 0) return;
    const offset = Math.abs(element.scrollLeft) / element.clientWidth;
    const place = Math.round(offset);
    if (goal.current === null) setCurrent(place);
    else if (Math.abs(offset - goal.current) < 0.02) goal.current = null;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const ahead = getComputedStyle(event.currentTarget).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show(current + (event.key === ahead ? 1 : -1));
  };
  return { strip, current, show, onScroll, onKeyDown };
}

interface StepProps {
  current: number;
  count: number;
  show: (place: number) => void;
}

function StepButtons({ current, count, show }: StepProps) {
  const look = "absolute top-1/2 -translate-y-1/2 bg-surface/85 shadow-card aria-disabled:opacity-40";
  return (
    <>
      <IconButton
        label={t.previous}
        aria-disabled={current === 0}
        onClick={() => show(current - 1)}
        className={cx(look, "start-3")}
      >
        <NextIcon className="size-5 rotate-180 rtl:rotate-0" />
      </IconButton>
      <IconButton
        label={t.next}
        aria-disabled={current === count - 1}
        onClick={() => show(current + 1)}
        className={cx(look, "end-3")}
      >
        <NextIcon className="size-5 rtl:rotate-180" />
      </IconButton>
    </>
  );
}

function Thumbnails({ photos, current, show }: Pick<Props, "photos"> & Omit<StepProps, "count">) {
  return (
    <ul className="flex flex-wrap gap-2">
      {photos.map((photo, place) => (
        <li key={photo.url}>
          <button
            type="button"
            aria-label={t.showPhotograph(place + 1)}
            aria-current={place === current || undefined}
            onClick={() => show(place)}
            className="block overflow-hidden rounded-sm border-2 border-transparent transition-colors hover:border-edge aria-current:border-brand"
          >
            <Picture photo={photo} sizes="4rem" alt="" className="w-16 p-1" />
          </button>
        </li>
      ))}
    </ul>
  );
}
