import type { UseFormReturn } from "react-hook-form";
import type { ApiError } from "@/api/errors";
import * as t from "@/texts/selling";
import { EMPTY, type FormValues } from "./formValues";
import { filesOf } from "./photos";
import type { Uploads } from "./uploads";

/** The control that stands for a field of the payload; null for one that has none. */
function controlOf(field: string): keyof FormValues | null {
  if (field === "id") return "brand";
  if (/^(img$|photos\b)/.test(field)) return "image";
  return field in EMPTY ? (field as keyof FormValues) : null;
}

/** Puts what the server says of a field beside its control. */
export function showFieldErrors(form: UseFormReturn<FormValues>, { fields = {} }: ApiError): void {
  for (const [field, message] of Object.entries(fields)) {
    const control = controlOf(field);
    if (control) form.setError(control, { message }, { shouldFocus: true });
  }
}

/** A failure in words; fields without a control of their own to stand at are told here. */
export function messageWithFields({ message, fields = {} }: ApiError): string {
  const homeless = Object.entries(fields).filter(([field]) => controlOf(field) === null);
  return [message, ...homeless.map(([field, what]) => t.complaint(field, what))].join(" · ");
}

/** Waits for the photographs; where one did not get there says so at their control, and answers false. */
export async function waitForUploads(form: UseFormReturn<FormValues>, uploads: Uploads): Promise<boolean> {
  const missing = await uploads.settled(filesOf(form.getValues("image")));
  if (missing > 0) form.setError("image", { message: t.notAllThere(missing) }, { shouldFocus: true });
  return missing === 0;
}
