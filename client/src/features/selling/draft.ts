import { formDraft } from "@/api/sessionStorage";
import type { SignedInUser } from "@/api/types";
import { EMPTY, type FormValues } from "./formValues";
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
  if (kept?.uid !== uid) return null;
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
