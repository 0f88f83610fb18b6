/**
 * A key for a form. The server creates only one thing for each key, so that a form can be sent again when the answer was
 * lost. (crypto.randomUUID exists with https only.)
 */
export function newFormKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
