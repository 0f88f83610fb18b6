/** A phone has at most this many photographs (contract section 4, photos). */
export const PHOTOS_MAX = 8;

/** A photograph that the seller has chosen. */
export interface Chosen {
  key: string;
  file: File;
  /** What is to be seen, in the seller's words; may be empty. */
  alt: string;
}

/** How far a chosen file has come; what has not begun is not in the map. */
export type Progress = ReadonlyMap<File, "sending" | "there" | "refused" | "failed">;

interface Args {
  photos: readonly Chosen[];
  progress: Progress;
  onChange: (photos: Chosen[]) => void;
}

let made = 0;

/** The chosen photographs in their order, and all that can be done with them. */
export function photosOf({ photos, progress, onChange }: Args) {
  /** Puts files behind the others; those that were refused give way. Says how many found no room. */
  const add = (files: readonly File[]): number => {
    const kept = photos.filter(({ file }) => progress.get(file) !== "refused");
    const taken = files.slice(0, PHOTOS_MAX - kept.length);
    onChange([...kept, ...taken.map(choose)]);
    return files.length - taken.length;
  };
  const remove = (key: string) => onChange(photos.filter((photo) => photo.key !== key));
  const describe = (key: string, alt: string) =>
    onChange(photos.map((photo) => (photo.key === key ? { ...photo, alt } : photo)));
  /** Brings a photograph to another place; false where there is none. */
  const move = (key: string, place: number): boolean => {
    const moved = photos.find((photo) => photo.key === key);
    if (!moved || place < 0 || place >= photos.length || photos[place] === moved) return false;
    onChange(photos.filter((photo) => photo !== moved).toSpliced(place, 0, moved));
    return true;
  };
  return { add, remove, describe, move };
}

function choose(file: File): Chosen {
  made += 1;
  return { key: `photo-${made}`, file, alt: "" };
}
