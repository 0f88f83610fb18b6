import { editDrafts, formDraft } from "@/api/tabStorage";
import type { Product, SignedInUser } from "@/api/types";
import { EMPTY_FORM, type FormValues, toProductChange } from "./formValues";
import { toFormPhotos, toPhotoPayload } from "./photoList";
import type { UploadStates } from "./uploads";

/** The stored form: its texts, and the photos that are uploaded. */
interface StoredForm {
  uid: string;
  texts: Omit<FormValues, "image">;
  photos: { url: string; alt: string }[];
}

/** The draft of this seller; null if there is none. */
export function readDraft({ uid }: SignedInUser): FormValues | null {
  const stored = formDraft.read() as Partial<StoredForm> | null;
  return stored?.uid === uid ? formValuesOfDraft(stored) : null;
}

function formValuesOfDraft(stored: Partial<StoredForm>): FormValues {
  const texts = Object.entries(EMPTY_FORM).map(([field, empty]) => {
    const text: unknown = (stored.texts as Record<string, unknown> | undefined)?.[field];
    return [field, typeof text === "string" ? text : empty];
  });
  return {
    ...(Object.fromEntries(texts) as unknown as FormValues),
    image: toFormPhotos(stored.photos ?? []),
  };
}

/** Stores a form in this tab; an empty form deletes the draft. */
export function saveDraft({ uid }: SignedInUser, values: FormValues, uploadStates: UploadStates): void {
  const { image, ...texts } = values;
  const { selling_post_date: _, key: _key, ...enteredTexts } = texts;
  const photos = toPhotoPayload(image, uploadStates);
  const isUntouched = Object.entries(enteredTexts).every(
    ([field, text]) => text.trim() === EMPTY_FORM[field as keyof typeof enteredTexts],
  );
  const isEmpty = photos.length === 0 && isUntouched;
  formDraft.write(isEmpty ? null : ({ uid, texts, photos } satisfies StoredForm));
}

/** Unsaved changes of a listed phone: the form, and the phone from which it was changed. */
interface EditDraft {
  base: Product;
  values: FormValues;
}

const readEditDrafts = () => (editDrafts.read() ?? {}) as Record<string, Partial<StoredForm & EditDraft>>;

/** This seller's unsaved changes of a phone; null if there are none. */
export function readEditDraft({ uid }: SignedInUser, id: string): EditDraft | null {
  const stored = readEditDrafts()[id];
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
  const photos = toPhotoPayload(image, uploadStates);
  const isUnchanged = toProductChange(base, values, uploadStates) === null;
  if (isUnchanged) deleteEditDraft(base._id);
  else editDrafts.write({ ...readEditDrafts(), [base._id]: { uid, base, texts, photos } });
}

/** Deletes the changes after they were saved or discarded. */
export function deleteEditDraft(id: string): void {
  const { [id]: _, ...others } = readEditDrafts();
  editDrafts.write(Object.keys(others).length === 0 ? null : others);
}
