import { editDrafts, formDraft } from "@/api/sessionStorage";
import type { Product, SignedInUser } from "@/api/types";
import { changeOf, EMPTY, type FormValues } from "./formValues";
import { formPhotosOf, payloadOf } from "./photos";
import type { UploadStates } from "./uploads";

/** What is kept: the texts, and of the photographs those that are at the image host. */
interface Kept {
  uid: string;
  texts: Omit<FormValues, "image">;
  photos: { url: string; alt: string }[];
}

/** What this seller had typed before the page was left; null where there is nothing. */
export function keptDraft({ uid }: SignedInUser): FormValues | null {
  const kept = formDraft.read() as Partial<Kept> | null;
  return kept?.uid === uid ? valuesOf(kept) : null;
}

function valuesOf(kept: Partial<Kept>): FormValues {
  const texts = Object.entries(EMPTY).map(([field, empty]) => {
    const text: unknown = (kept.texts as Record<string, unknown> | undefined)?.[field];
    return [field, typeof text === "string" ? text : empty];
  });
  return { ...(Object.fromEntries(texts) as unknown as FormValues), image: formPhotosOf(kept.photos ?? []) };
}

/** Keeps a form in this tab; one in which nothing is typed is forgotten. */
export function keepDraft({ uid }: SignedInUser, typed: FormValues, sendings: UploadStates): void {
  const { image, ...texts } = typed;
  const { selling_post_date: _, ...own } = texts;
  const photos = payloadOf(image, sendings);
  const isEmpty = photos.length === 0 && Object.values(own).every((text) => text.trim() === "");
  formDraft.write(isEmpty ? null : ({ uid, texts, photos } satisfies Kept));
}

/** Unsaved changes of a listed phone: the phone as it was when they were typed, and the form. */
export interface KeptEdit {
  base: Product;
  typed: FormValues;
}

const allEdits = () => (editDrafts.read() ?? {}) as Record<string, Partial<Kept & KeptEdit>>;

/** What this seller had changed of a phone before the page was left; null where there is nothing. */
export function keptEdit({ uid }: SignedInUser, id: string): KeptEdit | null {
  const kept = allEdits()[id];
  return kept?.uid === uid && kept.base ? { base: kept.base, typed: valuesOf(kept) } : null;
}

/** Keeps unsaved changes in this tab; a form without any is forgotten. */
export function keepEdit(
  { uid }: SignedInUser,
  base: Product,
  typed: FormValues,
  sendings: UploadStates,
): void {
  const { image, ...texts } = typed;
  const photos = payloadOf(image, sendings);
  const isSame = changeOf(base, typed, sendings) === null;
  if (isSame) forgetEdit(base._id);
  else editDrafts.write({ ...allEdits(), [base._id]: { uid, base, texts, photos } });
}

/** For changes that were saved or discarded. */
export function forgetEdit(id: string): void {
  const { [id]: _, ...others } = allEdits();
  editDrafts.write(Object.keys(others).length === 0 ? null : others);
}
