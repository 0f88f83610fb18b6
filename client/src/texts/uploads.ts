import { number, plural } from "./language";

/** Choosing photos. */
export const takePhoto = "Take a photo";
export const dropNow = "Drop the photos here";
export const chosenPhotos = "Chosen photos";
export const photoName = (place: number) => `Photo ${number(place)}`;
export const removePhoto = (place: number) => `Remove photo ${number(place)}`;

export const stopUpload = (place: number) => `Stop uploading photo ${number(place)}`;
export const uploadAgain = (place: number) => `Upload photo ${number(place)} again`;
export const stop = "Stop";
export const retryUpload = "Upload again";

/** The state of an upload. */
export const uploadingFile = (file: string) => `Uploading ${file}`;
export const waiting = "Waiting to upload";
const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);
export const uploadProgress = (sent: number, total: number) =>
  `${number(Math.floor((100 * sent) / Math.max(total, 1)))}% of ${megabytes(total)} MB`;
export const uploading = "Uploading…";
export const processing = "Processing…";
export const uploaded = "Uploaded";
export const stopped = "Stopped";
export const notAccepted = "Not accepted";
export const uploadFailed = "Upload failed";
export const photoUploaded = (file: string) => `${file} has been uploaded`;
export const photosNotUploaded = (count: number) =>
  plural(count, {
    one: "# photo has not been uploaded: try again, or remove it",
    other: "# photos have not been uploaded: try again, or remove them",
  });

/** What to do after a failed upload, by the host's status. */
export function uploadAdvice(status: number): string {
  if (status === 0) return "The connection was lost. The upload restarts when you are online.";
  if (status === 401) return "Your session has ended. Log in again; your draft is kept.";
  if (status === 408) return "The upload stalled for a minute. Try again with a better connection.";
  if (status === 413) return "It is larger than 10 MB. Make it smaller, or choose another one.";
  if (status === 415)
    return "It is not a JPEG, PNG or WebP image. Save it in one of these formats and choose it again.";
  if (status === 422) return "Choose another one.";
  if (status === 429) return "Too many uploads at once. Wait a moment and try again.";
  return "Try again in a moment.";
}
/** Whether the advice is enough for this status; otherwise the host's message is shown too. */
export const isAdviceComplete = (status: number) => [0, 401, 408, 413, 415, 429].includes(status);
