import { cx } from "@/ui/cx";
import { type Photograph, Picture } from "@/ui/Picture";

interface Props {
  /** A product, or a booking or report of one. */
  product: { img: string; photos?: readonly Photograph[] };
  /** Its width, as a class. */
  width?: string;
  /** Loads at once. */
  eager?: boolean;
}

/** A small photo of a phone beside its name, which describes it. */
export function Thumbnail({ product: { img, photos }, width = "w-14", eager }: Props) {
  return (
    <Picture
      src={img}
      photo={photos?.[0]}
      sizes="4rem"
      alt=""
      eager={eager}
      className={cx("shrink-0 rounded-sm p-1", width)}
    />
  );
}
