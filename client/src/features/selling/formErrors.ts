import type { UseFormReturn } from "react-hook-form";
import type { ApiError } from "@/api/errors";
import type { Uploads } from "@/api/images/uploads";
import * as t from "@/texts/selling";
import { EMPTY_FORM, type FormValues } from "./formValues";
import { filesOf } from "./photoList";

/** The name of the form's field for a field of the payload; null if there is none. */
function fieldNameOf(field: string): keyof FormValues | null {
  if (field === "id") return "brand";
  if (/^(img$|photos\b)/.test(field)) return "image";
  return field in EMPTY_FORM ? (field as keyof FormValues) : null;
}

/** Shows the server's errors of fields at their controls. */
export function showFieldErrors(form: UseFormReturn<FormValues>, { fields = {} }: ApiError): void {
  for (const [field, message] of Object.entries(fields)) {
    const name = fieldNameOf(field);
    if (name) form.setError(name, { message }, { shouldFocus: true });
  }
}

/** The message of an error. Reasons that are at their fields are not repeated; those without a control are. */
export function messageWithFields({ message, fields = {} }: ApiError): string {
  const names = Object.keys(fields);
  if (names.length === 0) return message;
  const others = names.filter((field) => fieldNameOf(field) === null);
  const isMarked = others.length < names.length;
  return [...(isMarked ? [t.checkFields] : []), ...others.map((field) => fields[field])].join(" · ");
}

/** Waits for the uploads. If one has failed, sets an error of the photos and resolves to false. */
export async function awaitUploads(form: UseFormReturn<FormValues>, uploads: Uploads): Promise<boolean> {
  const missing = await uploads.waitForAll(filesOf(form.getValues("image")));
  if (missing > 0) form.setError("image", { message: t.photosNotUploaded(missing) }, { shouldFocus: true });
  return missing === 0;
}
