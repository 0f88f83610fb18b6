/** The maximum size of an image in bytes (10 MB); the image host rejects larger ones. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
/** The accepted types, for the file chooser; the server checks the content. */
export const IMAGE_TYPES = "image/jpeg,image/png,image/webp";
