import type { Product } from "@/api/types";
import type { UploadStates } from "./uploads";

/** A phone has at most this many photographs (contract section 4, photos). */
export const PHOTOS_MAX = 8;

/** A photograph as the server has it. */
export type Photo = Product["photos"][number];

/** A photograph of the form: a file that the seller has chosen, or one that the server has already. */
export type FormPhoto = {
  key: string;
  /** What is to be seen, in the seller's words; may be empty. */
  alt: string;
} & ({ file: File } | { photo: Photo });

interface Args {
  photos: readonly FormPhoto[];
  sendings: UploadStates;
  onChange: (photos: FormPhoto[]) => void;
}

let made = 0;
const newKey = () => {
  made += 1;
  return `photo-${made}`;
};

/** The files among the photographs. */
export function filesOf(photos: readonly FormPhoto[]): File[] {
  return photos.flatMap((photo) => ("file" in photo ? [photo.file] : []));
}

/** The server's photographs, to be put in order, described and taken away. */
export function formPhotosOf(photos: readonly Photo[]): FormPhoto[] {
  return photos.map((photo) => ({ key: newKey(), alt: photo.alt, photo }));
}

/** Where a photograph is; null while it is not there. */
export function urlOf(photo: FormPhoto, sendings: UploadStates): string | null {
  if ("photo" in photo) return photo.photo.url;
  const state = sendings.get(photo.file);
  return state?.is === "there" ? state.url : null;
}

/** The photographs that are there, as a payload takes them. */
export function payloadOf(
  photos: readonly FormPhoto[],
  sendings: UploadStates,
): { url: string; alt: string }[] {
  return photos.flatMap((photo) => {
    const url = urlOf(photo, sendings);
    return url === null ? [] : [{ url, alt: photo.alt.trim() }];
  });
}

/** The photographs in their order, and all that can be done with them. */
export function photosOf({ photos, sendings, onChange }: Args) {
  /** Puts files behind the others; those that were refused give way. Says which were taken. */
  const add = (files: readonly File[]): File[] => {
    const kept = photos.filter((photo) => !("file" in photo && sendings.get(photo.file)?.is === "refused"));
    const taken = files.slice(0, PHOTOS_MAX - kept.length);
    onChange([...kept, ...taken.map((file) => ({ key: newKey(), file, alt: "" }))]);
    return taken;
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
