package images

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

// The format of all stored pictures.
const (
	mediaType = "image/jpeg"
	extension = ".jpg"
)

// imageFormat is an accepted image format. Formats are recognized by their first bytes. Only
// these decoders are used, not others that are registered with package image.
type imageFormat struct {
	matches  func(head []byte) bool
	config   func(io.Reader) (image.Config, error)
	decode   func(io.Reader) (image.Image, error)
	metadata func(io.ReadSeeker) fileMetadata
	cost     func(io.ReadSeeker, image.Config) (int64, error) // memory of decode, in bytes
}

// headBytes is the number of bytes that identify a format.
const headBytes = 12

var imageFormats = []imageFormat{
	{startsWith("\xff\xd8\xff"), jpeg.DecodeConfig, jpeg.Decode, jpegMetadata, jpegCost},
	{startsWith("\x89PNG\r\n\x1a\n"), png.DecodeConfig, png.Decode, pngMetadata, pngCost},
	{isWebP, webp.DecodeConfig, decodeWebP, webpMetadata, webpCost},
}

func startsWith(magic string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }
}

func isWebP(head []byte) bool {
	return len(head) == headBytes && string(head[:4]) == "RIFF" && string(head[8:]) == "WEBP"
}

// reencoded is a JPEG as it is stored, and its pixels.
type reencoded struct {
	file    []byte
	picture *image.RGBA
}

// reencode encodes a file as a JPEG: upright, in sRGB, at most maxSide long, and without metadata.
func (h *Host) reencode(ctx context.Context, file io.ReadSeeker) (reencoded, error) {
	format, err := formatOf(file)
	if err != nil {
		return reencoded{}, err
	}
	need, err := format.memoryNeeded(ctx, file)
	if err != nil {
		return reencoded{}, err
	}
	about := format.metadata(file)
	if err := h.decodeMemory.Acquire(ctx, need); err != nil {
		return reencoded{}, err
	}
	defer h.decodeMemory.Release(need)
	picture, err := read(ctx, file, format.decode)
	if err != nil {
		return reencoded{}, err
	}
	fitted := fit(picture)
	if _, isCMYK := picture.(*image.CMYK); !isCMYK {
		if c := coloursOf(about); c != nil {
			c.convert(fitted)
		}
	}
	oriented, out := readTIFF(about.exif).orientation().apply(fitted), &bytes.Buffer{}
	err = jpeg.Encode(out, oriented, &jpeg.Options{Quality: quality})
	return reencoded{file: out.Bytes(), picture: oriented}, err
}

// formatOf recognizes the format of a file. It returns errFormat for any other,
// and errAnimated for an animated WebP.
func formatOf(file io.ReadSeeker) (imageFormat, error) {
	const enough = 2 * headBytes // for the flags of a WebP
	head := make([]byte, enough)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return imageFormat{}, err
	}
	all, head := head[:n], head[:min(n, headBytes)]
	if isWebP(head) && isAnimated(all) {
		return imageFormat{}, errAnimated
	}
	for _, format := range imageFormats {
		if format.matches(head) {
			return format, nil
		}
	}
	return imageFormat{}, errFormat
}

// memoryNeeded returns how much memory the decoding and scaling of a file needs, in bytes,
// according to its header.
func (f imageFormat) memoryNeeded(ctx context.Context, file io.ReadSeeker) (int64, error) {
	config, err := read(ctx, file, f.config)
	if err != nil {
		return 0, err
	}
	if err := checkSize(config); err != nil {
		return 0, err
	}
	cost, err := f.cost(file, config)
	if err != nil {
		return 0, err
	}
	cost += fitCost(image.Pt(config.Width, config.Height))
	if cost > maxDecodeMemory {
		return 0, errTooMuchMemory
	}
	return min(cost, decodeMemoryLimit), nil
}

// read runs a decoder over the whole file. It stops when the context ends. An error of the disk is not
// the file's, and is returned as it is.
func read[T any](ctx context.Context, file io.ReadSeeker, decode func(io.Reader) (T, error)) (result T, err error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return result, err
	}
	from := &contextReader{ctx: ctx, from: file}
	result, err = decode(bufio.NewReader(from))
	switch {
	case ctx.Err() != nil:
		return result, ctx.Err()
	case from.err != nil:
		return result, from.err
	case err != nil:
		return result, errCorrupt
	}
	return result, nil
}

// contextReader is a reader that fails once its context has ended, because decoders do not
// check contexts.
type contextReader struct {
	ctx  context.Context
	from io.Reader
	err  error // of from, if it was another than the end of the file
}

// Read implements io.Reader.
func (r *contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

// checkSize checks the size in a file's header.
func checkSize(c image.Config) error {
	if c.Width < 1 || c.Height < 1 {
		return errCorrupt
	}
	if int64(c.Width)*int64(c.Height) > MaxPixels { // each side has at most 31 bits in all formats
		return errPixels
	}
	return nil
}
