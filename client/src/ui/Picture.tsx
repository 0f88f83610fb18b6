import { useState } from "react";
import { cx } from "@/ui/cx";
import { PersonIcon, PhoneIcon } from "@/ui/icons";

const ratios = { square: "aspect-square", landscape: "aspect-4/3", fill: "size-full" };

interface Props {
  /** Address of the image; empty or broken shows an outline instead. */
  src?: string;
  alt: string;
  ratio?: keyof typeof ratios;
  /** Load at once, for what is seen first. */
  eager?: boolean;
  /** "contain" for a phone on white, melted into the ground; "cover" for a picture that fills its frame. */
  fit?: "contain" | "cover";
  className?: string;
  /** The ground, by a class of tintOf; the neutral one unless told otherwise. */
  tint?: string;
  /** For the image in its frame, e.g. an animation that leaves the frame where it is. */
  imgClassName?: string;
}

/** A photograph on the light photo ground; keeps its shape before, while and after it loads. */
export function Picture({
  src,
  alt,
  ratio = "square",
  eager = false,
  fit = "contain",
  className,
  tint = "bg-photo",
  imgClassName,
}: Props) {
  const [broken, setBroken] = useState("");
  const usable = src && broken !== src;
  return (
    <div
      className={cx("grid place-items-center overflow-hidden text-on-photo", tint, ratios[ratio], className)}
    >
      {usable ? (
        <img
          src={src}
          alt={alt}
          loading={eager ? "eager" : "lazy"}
          decoding="async"
          onError={() => setBroken(src)}
          className={cx(
            "size-full min-h-0",
            fit === "cover" ? "object-cover" : "object-contain mix-blend-multiply",
            imgClassName,
          )}
        />
      ) : (
        // A picture that says nothing beside its words says nothing when it is missing either.
        <span {...(alt ? { role: "img", "aria-label": alt } : {})} className="opacity-60">
          <PhoneIcon className="size-8" />
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
      <img src={src} alt={name} onError={() => setBroken(src)} className="size-9 rounded-full object-cover" />
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
