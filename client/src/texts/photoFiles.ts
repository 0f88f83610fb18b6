/** Why a chosen file cannot be a photo. Each is a whole sentence with what to do. */
export const emptyFile = "This file is empty. Choose another one";
export const unreadable =
  "This file could not be read: it was moved or changed, its drive is not connected, or this browser may not open it. Check it, or choose it again";
export const cannotRead = (format: string) =>
  `This browser cannot read ${format} photographs. Choose JPEG, PNG or WebP`;
export const animated =
  "This browser cannot make a still photo of this animated WebP. Choose a still JPEG, PNG or WebP";
export const tooManyBytes =
  "It is larger than 10 MB, and this browser cannot make it smaller. Choose a smaller one";
export const tooManyPixels =
  "It has more than 40 megapixels, and this browser cannot make it smaller. Choose a smaller one";
export const notAPhoto = (kind: string) => `This is a ${kind}, not a photograph. Choose JPEG, PNG or WebP`;
