import type { Product } from "@/api/types";
import { cleanLine } from "@/lib/cleanText";
import type { UploadStates } from "@/lib/uploadState";

/** The most photos of a phone (market/photos.go). */
export const MAX_PHOTOS = 8;

/** A photo that is stored by the server. */
type Photo = Product["photos"][number];

/** A photo of the form: a file that the seller has selected, or a photo of the server. */
export type FormPhoto = {
  key: string;
  /** The seller's description; may be empty. */
  alt: string;
} & ({ file: File } | { photo: Photo });

interface PhotoListOptions {
  photos: readonly FormPhoto[];
  uploadStates: UploadStates;
  onChange: (photos: FormPhoto[]) => void;
}

let keyCount = 0;
const newKey = () => {
  keyCount += 1;
  return `photo-${keyCount}`;
};

/** The files among the photos. */
export function filesOf(photos: readonly FormPhoto[]): File[] {
  return photos.flatMap((photo) => ("file" in photo ? [photo.file] : []));
}

/** Converts the photos of the server to photos of the form. */
export function toFormPhotos(photos: readonly Photo[]): FormPhoto[] {
  return photos.map((photo) => ({ key: newKey(), alt: photo.alt, photo }));
}

/** The URL of a photo; null if it is not uploaded. */
export function photoUrl(photo: FormPhoto, uploadStates: UploadStates): string | null {
  if ("photo" in photo) return photo.photo.url;
  const state = uploadStates.get(photo.file);
  return state?.status === "uploaded" ? state.url : null;
}

/** The uploaded photos, in the format of the payload. */
export function toPhotoPayload(
  photos: readonly FormPhoto[],
  uploadStates: UploadStates,
): { url: string; alt: string }[] {
  return photos.flatMap((photo) => {
    const url = photoUrl(photo, uploadStates);
    return url === null ? [] : [{ url, alt: cleanLine(photo.alt) }];
  });
}

/** The functions that change the list of photos. */
export function photoList({ photos, uploadStates, onChange }: PhotoListOptions) {
  /** Appends files and removes rejected ones. Returns the files that were appended. */
  const add = (files: readonly File[]): File[] => {
    const kept = photos.filter(
      (photo) => !("file" in photo && uploadStates.get(photo.file)?.status === "rejected"),
    );
    const added = files.slice(0, MAX_PHOTOS - kept.length);
    onChange([...kept, ...added.map((file) => ({ key: newKey(), file, alt: "" }))]);
    return added;
  };
  const remove = (key: string) => onChange(photos.filter((photo) => photo.key !== key));
  const describe = (key: string, alt: string) =>
    onChange(photos.map((photo) => (photo.key === key ? { ...photo, alt } : photo)));
  /** Moves a photo to another index; false if that is not possible. */
  const move = (key: string, index: number): boolean => {
    const moved = photos.find((photo) => photo.key === key);
    if (!moved || index < 0 || index >= photos.length || photos[index] === moved) return false;
    onChange(photos.filter((photo) => photo !== moved).toSpliced(index, 0, moved));
    return true;
  };
  return { add, remove, describe, move };
}
