import { useMemo, useRef, useState } from "react";
import { useUploads } from "@/api/images/useUploads";
import { newFormKey } from "@/lib/formKey";
import type { UploadStates } from "@/lib/uploadState";
import { tooManyPhotos } from "@/texts/orderProblems";
import { photosNotUploaded } from "@/texts/uploads";

/** The most photographs of one statement (market/evidence.go). */
export const MAX_EVIDENCE = 6;

/** A photograph of a form: a file that was chosen, or the address of one that is uploaded. */
export type ChosenPhoto = { key: string } & ({ file: File } | { address: string });

/** The photographs of one statement about an order. They are uploaded while the text is written. */
export function useEvidence(order: string, addresses: readonly string[]) {
  const { uploads, uploadStates } = useUploads(`/orders/${order}/photos`);
  const [photos, setPhotos] = useState<ChosenPhoto[]>(() =>
    addresses.map((address) => ({ key: address, address })),
  );
  const [error, setError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(photos);
  latest.current = photos;
  const files = useMemo(() => filesOf(photos), [photos]);
  const uploaded = useMemo(() => addressesOf(photos, uploadStates), [photos, uploadStates]);
  const isRejected = (photo: ChosenPhoto) =>
    "file" in photo && uploadStates.get(photo.file)?.status === "rejected";

  const add = (chosen: readonly File[]) => {
    const kept = photos.filter((photo) => !isRejected(photo));
    const added = chosen.slice(0, MAX_EVIDENCE - kept.length);
    const rejected = chosen.length - added.length;
    setError(rejected > 0 ? tooManyPhotos(MAX_EVIDENCE, rejected) : undefined);
    setPhotos([...kept, ...added.map((file) => ({ key: newFormKey(), file }))]);
    for (const file of added) uploads.start(file);
  };
  const remove = (photo: ChosenPhoto) => {
    if ("file" in photo) uploads.stop(photo.file);
    setError(undefined);
    setPhotos(photos.filter((other) => other !== photo));
    input.current?.focus();
  };
  /** Waits for the uploads. Resolves to the addresses of all photographs; to null if one is not uploaded, which the field says. */
  const finish = async (): Promise<string[] | null> => {
    const missing = await uploads.waitForAll(filesOf(latest.current));
    setError(missing > 0 ? photosNotUploaded(missing) : undefined);
    if (missing === 0) return addressesOf(latest.current, uploads.getSnapshot());
    input.current?.focus();
    return null;
  };
  return { photos, files, uploaded, uploads, uploadStates, error, input, add, remove, finish };
}

const filesOf = (photos: readonly ChosenPhoto[]) =>
  photos.flatMap((photo) => ("file" in photo ? [photo.file] : []));

const addressesOf = (photos: readonly ChosenPhoto[], uploadStates: UploadStates) =>
  photos.flatMap((photo) => {
    if ("address" in photo) return [photo.address];
    const state = uploadStates.get(photo.file);
    return state?.status === "uploaded" ? [state.url] : [];
  });
