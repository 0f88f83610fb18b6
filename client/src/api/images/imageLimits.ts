/** The limits of the image host. This browser makes larger photos smaller. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
export const MAX_IMAGE_PIXELS = 40_000_000;
/** For the file chooser: this browser turns what it can decode into a JPEG, and the server checks the content. */
export const IMAGE_TYPES = "image/*";
