package images

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// What everything is kept as.
const (
	mediaType = "image/jpeg"
	extension = ".jpg"
)

// kind is one of the formats that are taken. Formats are told by their first
// bytes, and only these decoders ever see a file: whatever else the program
// registers with package image does not count.
type kind struct {
	is          func(head []byte) bool
	config      func(io.Reader) (image.Config, error)
	decode      func(io.Reader) (image.Image, error)
	orientation func(io.ReadSeeker) orientation
}

// headBytes are enough to tell a format.
const headBytes = 12

var kinds = []kind{
	{startsWith("\xff\xd8\xff"), jpeg.DecodeConfig, jpeg.Decode, jpegOrientation},
	{startsWith("\x89PNG\r\n\x1a\n"), png.DecodeConfig, png.Decode, pngOrientation},
	{isWebP, webp.DecodeConfig, decodeWebP, webpOrientation},
}

func startsWith(magic string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }
}

func isWebP(head []byte) bool {
	return len(head) == headBytes && string(head[:4]) == "RIFF" && string(head[8:]) == "WEBP"
}

// remade is a picture as it is kept, and its pixels.
type remade struct {
	file    []byte
	picture *image.RGBA
}

// remake turns a file into the JPEG that is kept: upright, at most maxSide
// long, and nothing of the file but its pixels.
func (h *Host) remake(ctx context.Context, file io.ReadSeeker) (remade, error) {
	k, err := kindOf(file)
	if err != nil {
		return remade{}, err
	}
	config, err := read(file, k.config)
	if err != nil {
		return remade{}, errBroken
	}
	pixels, err := pixelsOf(config)
	if err != nil {
		return remade{}, err
	}
	turn := k.orientation(file)
	need := min(pixels*bytesPerPixel, memory)
	if err := h.room.Acquire(ctx, need); err != nil {
		return remade{}, err
	}
	defer h.room.Release(need)
	picture, err := read(file, k.decode)
	if err != nil {
		return remade{}, errBroken
	}
	made, out := turn.apply(fit(picture)), &bytes.Buffer{}
	err = jpeg.Encode(out, made, &jpeg.Options{Quality: quality})
	return remade{file: out.Bytes(), picture: made}, err
}

func kindOf(file io.ReadSeeker) (kind, error) {
	head := make([]byte, headBytes)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return kind{}, err
	}
	for _, k := range kinds {
		if k.is(head[:n]) {
			return k, nil
		}
	}
	return kind{}, errKind
}

// read runs a decoder over the whole file.
func read[T any](file io.ReadSeeker, decode func(io.Reader) (T, error)) (T, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		var none T
		return none, err
	}
	return decode(bufio.NewReader(file))
}

// pixelsOf looks at the size that a file claims, before it costs any memory.
func pixelsOf(c image.Config) (int64, error) {
	if c.Width < 1 || c.Height < 1 {
		return 0, errBroken
	}
	pixels := int64(c.Width) * int64(c.Height) // formats end at 31 bits each
	if pixels > MaxPixels {
		return 0, errPixels
	}
	return pixels, nil
}

// fit scales a picture down to maxSide, and lays what is transparent on white.
func fit(src image.Image) *image.RGBA {
	size := src.Bounds().Size()
	if longest := max(size.X, size.Y); longest > maxSide {
		size.X = max(1, size.X*maxSide/longest)
		size.Y = max(1, size.Y*maxSide/longest)
	}
	dst := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(dst, dst.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	if size == src.Bounds().Size() {
		draw.Draw(dst, dst.Bounds(), src, src.Bounds().Min, draw.Over)
	} else {
		draw.CatmullRom.Scale(dst, dst.Bounds(), src, src.Bounds(), draw.Over, nil)
	}
	return dst
}
