import { editDrafts, newDrafts } from "@/api/tabStorage";
import type { Product, SignedInUser } from "@/api/types";
import type { UploadStates } from "@/lib/uploadState";
import { EMPTY_FORM, type FormValues, toProductChange } from "./formValues";
import { toFormPhotos, toPhotoPayload } from "./photoList";

/** The stored form: its texts, and the photos that are uploaded. */
interface StoredForm {
  uid: string;
  texts: Omit<FormValues, "image">;
  photos: { url: string; alt: string }[];
  /** Of a listed phone: the phone from which it was changed. */
  base?: Product;
}

const read = (drafts: typeof newDrafts, key: string) => drafts.read(key) as Partial<StoredForm> | undefined;

/** This seller's draft of a new phone; null if there is none. The form of each phone that it is like has its own. */
export function readDraft({ uid }: SignedInUser, key: string): FormValues | null {
  const stored = read(newDrafts, key);
  return stored?.uid === uid ? formValuesOfDraft(stored) : null;
}

function formValuesOfDraft(stored: Partial<StoredForm>): FormValues {
  const texts = Object.entries(EMPTY_FORM).map(([field, empty]) => {
    const value: unknown = (stored.texts as Record<string, unknown> | undefined)?.[field];
    return [field, typeof value === typeof empty ? value : empty];
  });
  return {
    ...(Object.fromEntries(texts) as unknown as FormValues),
    image: toFormPhotos(stored.photos ?? []),
  };
}

/** What makes a form a draft: the texts and photos, without those that are filled in for the seller. */
function enteredOf(values: FormValues, uploadStates: UploadStates): string {
  const { image, selling_post_date: _date, key: _key, phone: _phone, location: _location, ...texts } = values;
  const entered = Object.entries(texts).map(([field, text]) => [field, String(text).trim()]);
  return JSON.stringify([Object.fromEntries(entered), toPhotoPayload(image, uploadStates)]);
}

/** Stores a form in this tab; a form with its initial values deletes the draft. */
export function saveDraft(
  { uid }: SignedInUser,
  key: string,
  initial: FormValues,
  values: FormValues,
  uploadStates: UploadStates,
): void {
  const { image, ...texts } = values;
  const isUntouched = enteredOf(values, uploadStates) === enteredOf(initial, uploadStates);
  const photos = toPhotoPayload(image, uploadStates);
  const draft: StoredForm = { uid, texts, photos };
  newDrafts.write(key, isUntouched ? null : draft);
}

/** Deletes the draft after the phone was listed. */
export const deleteDraft = (key: string): void => newDrafts.write(key, null);

/** Unsaved changes of a listed phone: the form, and the phone from which it was changed. */
interface EditDraft {
  base: Product;
  values: FormValues;
}

/** This seller's unsaved changes of a phone; null if there are none. */
export function readEditDraft({ uid }: SignedInUser, id: string): EditDraft | null {
  const stored = read(editDrafts, id);
  return stored?.uid === uid && stored.base ? { base: stored.base, values: formValuesOfDraft(stored) } : null;
}

/** Stores unsaved changes in this tab; a form without changes deletes them. */
export function saveEditDraft(
  { uid }: SignedInUser,
  base: Product,
  values: FormValues,
  uploadStates: UploadStates,
): void {
  const { image, ...texts } = values;
  const isUnchanged = toProductChange(base, values, uploadStates) === null;
  const photos = toPhotoPayload(image, uploadStates);
  const draft: StoredForm = { uid, base, texts, photos };
  editDrafts.write(base._id, isUnchanged ? null : draft);
}

/** Deletes the changes after they were saved or discarded. */
export const deleteEditDraft = (id: string): void => editDrafts.write(id, null);
