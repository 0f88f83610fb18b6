import { useState } from "react";
import { pictureUrl } from "@/lib/pictureUrl";
import * as t from "@/texts/ui";
import { cx } from "@/ui/cx";
import { PersonIcon, PhoneIcon } from "@/ui/icons";

const ratios = { square: "aspect-square", landscape: "aspect-4/3", fill: "size-full" };

/** A photograph: its URL, copies in other widths, its size in pixels, and a tiny blurred copy as a data URL. */
export interface Photograph {
  url: string;
  srcset?: string;
  width?: number;
  height?: number;
  blur?: string;
}

interface Props {
  /** The URL of the image. If it is empty or fails to load, an outline is shown. */
  src?: string;
  /** The image in several widths; used instead of `src`. */
  photo?: Photograph;
  /** The `sizes` attribute of the image. */
  sizes?: string;
  alt: string;
  ratio?: keyof typeof ratios;
  /** Loads at once, for images that are in view first. */
  eager?: boolean;
  /** "contain" shows the whole image; "cover" fills the frame. */
  fit?: "contain" | "cover";
  className?: string;
  /** The background class; white by default, as that of most product photos. */
  tint?: string;
  /** Classes of the image alone, e.g. an animation inside the frame. */
  imgClassName?: string;
}

/** A photograph in its own colours on a white mat; its shape is the same before and after it loads. */
export function Picture({
  src: fallbackSrc,
  photo,
  sizes,
  alt,
  ratio = "square",
  eager = false,
  fit = "contain",
  className,
  tint = "bg-photo",
  imgClassName,
}: Props) {
  const [broken, setBroken] = useState("");
  const [loaded, setLoaded] = useState("");
  const src = photo?.url ?? fallbackSrc;
  const usable = src && broken !== src;
  const blur = photo?.blur && loaded !== src ? { backgroundImage: `url("${photo.blur}")` } : undefined;
  return (
    <div
      className={cx("grid place-items-center overflow-hidden text-on-photo", tint, ratios[ratio], className)}
    >
      {usable ? (
        <img
          // `sizes` and `srcSet` are set before `src`, or some browsers fetch both.
          sizes={photo?.srcset && sizes}
          srcSet={photo?.srcset && pictureUrl(photo.srcset)}
          src={pictureUrl(src)}
          alt={alt}
          width={photo?.width}
          height={photo?.height}
          loading={eager ? "eager" : "lazy"}
          decoding="async"
          style={blur}
          onLoad={() => setLoaded(src)}
          onError={() => setBroken(src)}
          className={cx(
            "size-full min-h-0 bg-center bg-no-repeat",
            fit === "cover" ? "bg-cover object-cover" : "bg-contain object-contain",
            imgClassName,
          )}
        />
      ) : (
        // A decorative image stays decorative when it is missing.
        <span
          {...(alt ? { role: "img", "aria-label": alt } : {})}
          className="@container grid size-full place-items-center opacity-70"
        >
          <span aria-hidden="true" className="grid justify-items-center gap-3">
            <PhoneIcon className="size-8 @3xs:size-14" />
            <span className="hidden font-semibold text-sm @3xs:block">{t.noPhoto}</span>
          </span>
        </span>
      )}
    </div>
  );
}

/** A round profile picture, or the default icon. */
export function Avatar({ src, name }: { src?: string; name: string }) {
  const [broken, setBroken] = useState("");
  if (src && broken !== src) {
    return (
      <img
        src={pictureUrl(src)}
        alt={name}
        onError={() => setBroken(src)}
        className="size-9 rounded-full object-cover"
      />
    );
  }
  return (
    <span
      role="img"
      aria-label={name}
      className="grid size-9 place-items-center rounded-full bg-brand-soft text-brand"
    >
      <PersonIcon />
    </span>
  );
}
