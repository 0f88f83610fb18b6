import type { ApiError } from "@/api/errors";
import { INVALID, UNREADABLE } from "@/lib/uploadState";
import * as t from "@/texts/photoFiles";
import { HEAD_BYTES, type ImageFormat, type ImageHead, readHead } from "./imageHead";
import { MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS } from "./imageLimits";

/** The longest side of a photo that is drawn again, pixels: twice what the server keeps. */
const MAX_SIDE = 3200;
const JPEG_QUALITY = 0.92;
/** The formats that the server reads. */
const ACCEPTED = new Set<ImageFormat>(["JPEG", "PNG", "WebP"]);

/** Draws a photo as a JPEG with sides up to a length; rejects if the browser cannot decode it. */
export type Draw = (file: Blob, maxSide: number) => Promise<Blob>;

/**
 * Returns what is uploaded of a file: the file itself, if the server accepts it, otherwise a JPEG that this browser
 * draws of it. Rejects with an ApiError if it cannot read or draw the file.
 */
export async function prepareImage(file: File, draw: Draw = drawJpeg): Promise<Blob> {
  if (file.size === 0) throw rejected(t.emptyFile);
  const head = readHead(new DataView(await readStart(file, HEAD_BYTES)), file.type);
  if (isAccepted(file, head)) return file;
  if (head.format === "PDF" || head.format === "video") throw rejected(t.notAPhoto(head.format));
  const drawn = await draw(file, MAX_SIDE).catch(() => null);
  // Drawing reads the file again.
  if (!drawn) await readStart(file, 1);
  if (!drawn || drawn.size === 0) throw rejected(sentenceOf(head, file));
  return drawn;
}

/** Whether the server accepts the file, as far as its head shows. What is in no known format is the server's to refuse. */
function isAccepted({ size }: File, { format, isAnimated, pixels = 0 }: ImageHead): boolean {
  const isSmall = size <= MAX_IMAGE_BYTES && pixels <= MAX_IMAGE_PIXELS;
  if (format === undefined) return isSmall;
  return isSmall && !isAnimated && ACCEPTED.has(format);
}

function sentenceOf({ format, isAnimated }: ImageHead, { size }: File): string {
  if (isAnimated) return t.animated;
  if (format && !ACCEPTED.has(format)) return t.cannotRead(format);
  return size > MAX_IMAGE_BYTES ? t.tooManyBytes : t.tooManyPixels;
}

/** Reads the start of a file; rejects with a sentence of its own if its disk, its drive or its permission fails. */
export async function readStart(file: Blob, bytes: number): Promise<ArrayBuffer> {
  try {
    return await file.slice(0, bytes).arrayBuffer();
  } catch {
    const error: ApiError = { status: 0, code: UNREADABLE, message: t.unreadable };
    throw error;
  }
}

const rejected = (message: string): ApiError => ({ status: 422, code: INVALID, message });

/**
 * Draws with an img and a canvas: they apply the orientation of the camera, convert the colours to sRGB, and decode a
 * large JPEG at a smaller scale, which needs less memory. Transparent pixels become white; of an animation the first
 * picture is drawn.
 */
export async function drawJpeg(file: Blob, maxSide: number): Promise<Blob> {
  const url = URL.createObjectURL(file);
  const canvas = document.createElement("canvas");
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.min(1, maxSide / Math.max(image.naturalWidth, image.naturalHeight, 1));
    canvas.width = Math.max(1, Math.round(image.naturalWidth * scale));
    canvas.height = Math.max(1, Math.round(image.naturalHeight * scale));
    const context = canvas.getContext("2d", { alpha: false });
    if (!context || image.naturalWidth === 0) throw new Error("the browser cannot draw the photo");
    context.fillStyle = "white";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const drawn = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", JPEG_QUALITY));
    if (!drawn) throw new Error("the browser cannot encode the photo");
    return drawn;
  } finally {
    URL.revokeObjectURL(url);
    // Frees the memory at once.
    canvas.width = 0;
  }
}
