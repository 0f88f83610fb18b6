import { Suspense, useState } from "react";
import * as t from "@/texts/catalog";
import { cx, IconButton, type Photograph, Picture } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { NextIcon } from "@/ui/icons";
import { lazyScreen } from "@/ui/lazyPart";
import { stepOfKey, usePhotoStrip } from "./usePhotoStrip";
import { ZoomInIcon } from "./zoomIcons";

const PhotoViewer = lazyScreen(() => import("./PhotoViewer"));

/** A photo with its alternative text. */
export type GalleryPhoto = Photograph & { alt: string };

interface Props {
  photos: readonly GalleryPhoto[];
  /** The alternative text of photos without a description. */
  name: string;
  /** The content over the photos. */
  mark: Elements;
}

/** A phone's photos with alternative text for each, without duplicates: a seller may add the same photo twice. */
function photosOf(all: readonly GalleryPhoto[], name: string): GalleryPhoto[] {
  const photos = [...new Map(all.map((photo) => [photo.url, photo])).values()];
  const altOf = (index: number) =>
    photos.length < 2 ? t.photographOf(name) : t.photographNumber(index + 1, name);
  return photos.map((photo, index) => ({ ...photo, alt: photo.alt || altOf(index) }));
}

/**
 * A phone's photos, one at a time: swiped, by the arrow keys, by the buttons or by the small ones below. A press on
 * one opens it as large as the window.
 */
export function Gallery({ photos: all, name, mark }: Props) {
  const photos = photosOf(all, name);
  const { strip, current, show, onScroll } = usePhotoStrip(photos.length);
  const [isLarge, setLarge] = useState(false);
  const alone = photos.length < 2;
  return (
    <section aria-label={t.photographs} className="grid min-w-0 gap-3">
      <div className="relative overflow-hidden rounded-lg border border-line bg-photo">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls, and these are pictures */}
        <div
          ref={strip}
          role="group"
          aria-label={alone ? t.photograph : t.placeOf(current + 1, photos.length)}
          tabIndex={alone ? undefined : 0}
          onScroll={onScroll}
          onKeyDown={(event) => {
            const step = stepOfKey(event.key, event.currentTarget);
            if (step === undefined) return;
            event.preventDefault();
            show(current + step);
          }}
          className="flex snap-x snap-mandatory overflow-x-auto scroll-smooth rounded-lg [scrollbar-width:none] focus-visible:-outline-offset-4 motion-reduce:scroll-auto"
        >
          {photos.map((photo, index) => (
            // The keyboard has the button in the corner for it.
            <button
              key={photo.url}
              type="button"
              tabIndex={-1}
              onClick={() => setLarge(true)}
              className="w-full shrink-0 cursor-zoom-in! snap-center"
            >
              <Picture
                photo={photo}
                sizes="(min-width: 64rem) 46rem, 100vw"
                alt={photo.alt}
                ratio="landscape"
                eager={index === 0}
                className="w-full p-3 sm:p-5 lg:max-h-[calc(100vh-13.5rem)]"
              />
            </button>
          ))}
        </div>
        {mark}
        <IconButton
          label={t.enlarge}
          aria-haspopup="dialog"
          onClick={() => setLarge(true)}
          className={cx(ON_PHOTO, "end-3 bottom-3")}
        >
          <ZoomInIcon />
        </IconButton>
        {!alone && <StepButtons current={current} count={photos.length} show={show} />}
      </div>
      {!alone && <Thumbnails photos={photos} current={current} show={show} />}
      {isLarge && (
        <Suspense>
          <PhotoViewer
            photos={photos}
            start={current}
            name={name}
            onClose={(index) => {
              setLarge(false);
              show(index);
            }}
          />
        </Suspense>
      )}
    </section>
  );
}

const ON_PHOTO = "absolute border border-line bg-surface! shadow-card aria-disabled:opacity-40";

interface StepProps {
  current: number;
  count: number;
  show: (index: number) => void;
}

function StepButtons({ current, count, show }: StepProps) {
  const look = cx(ON_PHOTO, "top-1/2 -translate-y-1/2");
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
      {photos.map((photo, index) => (
        <li key={photo.url}>
          <button
            type="button"
            aria-label={t.showPhotograph(index + 1)}
            aria-current={index === current || undefined}
            onClick={() => show(index)}
            className="block overflow-hidden rounded-sm border-2 border-transparent transition-colors hover:border-edge aria-current:border-brand"
          >
            <Picture photo={photo} sizes="4rem" alt="" className="w-16 p-1" />
          </button>
        </li>
      ))}
    </ul>
  );
}
