import { describe, expect, it, vi } from "vitest";
import { isAboutFile, UNREADABLE } from "@/lib/uploadState";
import { readHead } from "./imageHead";
import { type Draw, prepareImage } from "./prepareImage";

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const be = (value: number, size: number) =>
  Array.from({ length: size }, (_, i) => String.fromCharCode((value >>> (8 * (size - 1 - i))) & 255)).join(
    "",
  );
const le = (value: number, size: number) => [...be(value, size)].reverse().join("");

const png = (width: number, height: number) =>
  `\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR${be(width, 4)}${be(height, 4)}\x08\x02\0\0\0`;
const jpeg = (width: number, height: number, before = 0) =>
  `\xff\xd8${`\xff\xe1${be(40_002, 2)}${"x".repeat(40_000)}`.repeat(before)}\xff\xff\xc2${be(17, 2)}\x08${be(height, 2)}${be(width, 2)}\x03${"\0".repeat(9)}`;
const vp8x = (width: number, height: number, flags = 0) =>
  `RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0${le(flags, 4)}${le(width - 1, 3)}${le(height - 1, 3)}`;
const vp8 = (width: number, height: number) =>
  `RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a${le(width, 2)}${le(height, 2)}`;
const vp8l = (width: number, height: number) =>
  `RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f${le((width - 1) | ((height - 1) << 14), 4)}`;
const box = (brand: string) => `\0\0\0\x20ftyp${brand}\0\0\0\0`;

const file = (content: string, { type = "", size = 0, name = "photo" } = {}) => {
  const made = new File([bytes(content)], name, { type });
  if (size) Object.defineProperty(made, "size", { value: size });
  return made;
};
const MB = 1024 * 1024;
const drawn = new Blob(["drawn"], { type: "image/jpeg" });
const draws = () => vi.fn<Draw>().mockResolvedValue(drawn);
const cannotDraw = () => vi.fn<Draw>().mockRejectedValue(new DOMException("no", "EncodingError"));

describe("readHead", () => {
  it.each([
    ["a PNG", png(8000, 6000), 48_000_000],
    ["a JPEG", jpeg(8160, 6144), 50_135_040],
    ["a JPEG behind metadata of 400 KB", jpeg(9000, 6000, 10), 54_000_000],
    ["a lossy WebP", vp8(4000, 3000), 12_000_000],
    ["a lossless WebP", vp8l(16_384, 16_384), 268_435_456],
    ["an extended WebP", vp8x(12_000, 9000), 108_000_000],
  ])("reads the size of %s", (_, content, pixels) => {
    expect(readHead(new DataView(bytes(content).buffer))).toMatchObject({ pixels, isAnimated: false });
  });

  it.each([
    "",
    "R",
    "RIFF",
    "\x89PNG\r\n\x1a\n",
    "\xff\xd8\xff",
    "\xff\xd8\xff\xe1\xff",
    vp8(1, 1).slice(0, 20),
    "RIFF\0\0\0\0WEBPVP8X",
  ])("survives a file that ends early: %j", (content) => {
    expect(readHead(new DataView(bytes(content).buffer)).pixels).toBeUndefined();
  });
});

describe("prepareImage", () => {
  it.each([
    ["a JPEG", file(jpeg(4000, 3000))],
    ["a PNG of 40 megapixels", file(png(8000, 5000))],
    ["a WebP", file(vp8(4000, 3000))],
    ["a transparent WebP", file(vp8x(4000, 3000, 0x10))],
    ["a JPEG of 10 MB", file(jpeg(4000, 3000), { size: 10 * MB })],
    ["a text, which the server refuses", file("this is text", { type: "image/jpeg" })],
  ])("sends %s as it is", async (_, photo) => {
    const draw = draws();
    expect(await prepareImage(photo, draw)).toBe(photo);
    expect(draw).not.toHaveBeenCalled();
  });

  it.each([
    ["a JPEG of 48 megapixels", file(jpeg(8000, 6000))],
    ["a JPEG of 50 megapixels", file(jpeg(8160, 6144))],
    ["a PNG of 108 megapixels", file(png(12_000, 9000))],
    ["a JPEG of 10 MB and a byte", file(jpeg(4000, 3000), { size: 10 * MB + 1 })],
    ["a WebP of 30 MB", file(vp8(4000, 3000), { size: 30 * MB })],
    ["an animated WebP", file(vp8x(400, 300, 0x12))],
    ["a HEIC", file(box("heic"))],
    ["a HEIF", file(box("mif1"))],
    ["an AVIF", file(box("avif"))],
    ["a GIF", file("GIF89a\x01\0\x01\0")],
    ["a BMP", file("BM\x46\0")],
    ["a TIFF", file("MM\0*\0\0\0\x08")],
    ["an SVG", file('<?xml version="1.0"?>\n<svg xmlns="x"/>')],
    ["a JPEG XL", file("\xff\x0a\0")],
  ])("draws %s, if the browser can decode it", async (_, photo) => {
    const draw = draws();
    expect(await prepareImage(photo, draw)).toBe(drawn);
    expect(draw).toHaveBeenCalledWith(photo, 3200);
  });

  it.each([
    [file(box("heic")), "This browser cannot read HEIC photographs. Choose JPEG, PNG or WebP"],
    [
      file("x", { type: "image/heic" }),
      "This browser cannot read HEIC photographs. Choose JPEG, PNG or WebP",
    ],
    [file(box("avif")), /cannot read AVIF/],
    [file("GIF89a"), /cannot read GIF/],
    [file("BM\0\0"), /cannot read BMP/],
    [file("II*\0"), /cannot read TIFF/],
    [file("<svg/>"), /cannot read SVG/],
    [file("\0\0\0\x0cJXL "), /cannot read JPEG XL/],
    [file(vp8x(400, 300, 2)), /animated WebP/],
    [file(jpeg(8000, 6000)), /^It has more than 40 megapixels/],
    [file(png(9, 9), { size: 11 * MB }), /^It is larger than 10 MB/],
    [file("unknown", { size: 11 * MB }), /^It is larger than 10 MB/],
    [file("%PDF-1.7"), /a PDF, not a photograph/],
    [file(box("mp42")), /a video, not a photograph/],
    [file(""), /empty/],
  ])("says what is wrong with a file that the browser cannot decode (%#)", async (photo, message) => {
    const error = await prepareImage(photo, cannotDraw()).catch((reason) => reason);
    expect(error.message).toMatch(message);
    expect(error.status).toBe(422);
    expect(isAboutFile(error)).toBe(true);
  });

  it.each(["NotReadableError", "NotFoundError", "SecurityError", "AbortError", "UnknownError"])(
    "says that a file could not be read, and does not call it damaged: %s",
    async (name) => {
      const photo = file(jpeg(4000, 3000));
      Object.defineProperty(photo, "slice", {
        value: () => ({ arrayBuffer: () => Promise.reject(new DOMException("moved", name)) }),
      });
      const error = await prepareImage(photo, draws()).catch((reason) => reason);
      expect(error).toMatchObject({
        code: UNREADABLE,
        message: expect.stringMatching(/^This file could not be read/),
      });
    },
  );
});
