/** The formats of files that people choose as photos. */
export type ImageFormat =
  | "JPEG"
  | "PNG"
  | "WebP"
  | "HEIC"
  | "AVIF"
  | "GIF"
  | "BMP"
  | "TIFF"
  | "SVG"
  | "JPEG XL"
  | "PDF"
  | "video";

/** What the first bytes of a file say about it. */
export interface ImageHead {
  /** Undefined if it is unknown. */
  format?: ImageFormat;
  isAnimated: boolean;
  /** Undefined if the head does not have it. */
  pixels?: number;
}

/** How many bytes readHead needs: in a JPEG the size is after the metadata and the preview. */
export const HEAD_BYTES = 512 * 1024;

const text = (bytes: DataView, at: number, length: number) =>
  String.fromCharCode(
    ...new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(at, at + length),
  );

const STARTS: [string, ImageFormat][] = [
  ["\xff\xd8\xff", "JPEG"],
  ["\x89PNG\r\n\x1a\n", "PNG"],
  ["GIF8", "GIF"],
  ["BM", "BMP"],
  ["II*\0", "TIFF"],
  ["MM\0*", "TIFF"],
  ["\xff\x0a", "JPEG XL"],
  ["\0\0\0\x0cJXL ", "JPEG XL"],
  ["%PDF", "PDF"],
];
/** The first brands of files of boxes (ISO/IEC 14496-12). */
const BRANDS: [RegExp, ImageFormat][] = [
  [/^avi[fs]/, "AVIF"],
  [/^(hei[cxms]|hev[cx]|mif1|msf1)/, "HEIC"],
  [/^(iso|mp4|qt|M4V)/, "video"],
];

function formatOf(bytes: DataView): ImageFormat | undefined {
  const start = text(bytes, 0, 16);
  if (start.startsWith("RIFF") && start.slice(8, 12) === "WEBP") return "WebP";
  if (start.slice(4, 8) === "ftyp") return BRANDS.find(([brand]) => brand.test(start.slice(8)))?.[1];
  const known = STARTS.find(([magic]) => start.startsWith(magic))?.[1];
  return (
    known ??
    (/^(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?(<!--.*-->\s*|<!DOCTYPE[^>]*>\s*)*<svg/s.test(text(bytes, 0, 1000))
      ? "SVG"
      : undefined)
  );
}

/** The formats of types that a browser may name although their first bytes are not known. */
const TYPES: Record<string, ImageFormat> = {
  "image/heic": "HEIC",
  "image/heif": "HEIC",
  "image/avif": "AVIF",
  "image/gif": "GIF",
  "image/tiff": "TIFF",
  "image/svg+xml": "SVG",
  "image/bmp": "BMP",
};

/** Reads the first bytes of a file, and the type that the browser names. Nothing of them is trusted: the server checks the file. */
export function readHead(bytes: DataView, type = ""): ImageHead {
  const format = formatOf(bytes) ?? TYPES[type];
  try {
    if (format === "PNG")
      return { format, isAnimated: false, pixels: bytes.getUint32(16) * bytes.getUint32(20) };
    if (format === "WebP") return { format, ...webpHead(bytes) };
    if (format === "JPEG") return { format, isAnimated: false, pixels: jpegPixels(bytes) };
  } catch {
    // The file is shorter than its format requires.
  }
  return { format, isAnimated: false };
}

/** The size of a WebP by its first chunk (WebP Container Specification, RFC 6386, RFC 9649). */
function webpHead(bytes: DataView): Omit<ImageHead, "format"> {
  const chunk = text(bytes, 12, 4);
  if (chunk === "VP8X") {
    const side = (at: number) => 1 + bytes.getUint16(at, true) + (bytes.getUint8(at + 2) << 16);
    return { isAnimated: (bytes.getUint8(20) & 2) !== 0, pixels: side(24) * side(27) };
  }
  if (chunk === "VP8L") {
    const sizes = bytes.getUint32(21, true);
    return { isAnimated: false, pixels: (1 + (sizes & 0x3fff)) * (1 + ((sizes >>> 14) & 0x3fff)) };
  }
  return {
    isAnimated: false,
    pixels: (bytes.getUint16(26, true) & 0x3fff) * (bytes.getUint16(28, true) & 0x3fff),
  };
}

/** The size of a JPEG by its frame, SOF0 to SOF15 (ITU T.81, table B.1). */
function jpegPixels(bytes: DataView): number | undefined {
  for (let at = 2; at + 9 < bytes.byteLength; ) {
    const marker = bytes.getUint8(at + 1);
    if (bytes.getUint8(at) !== 0xff || marker === 0xda) return undefined;
    if (marker === 0xff) {
      at += 1; // a fill byte
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return bytes.getUint16(at + 5) * bytes.getUint16(at + 7);
    at += 2 + bytes.getUint16(at + 2);
  }
  return undefined;
}
