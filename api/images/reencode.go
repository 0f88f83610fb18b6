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

// What everything is kept as.
const (
	mediaType = "image/jpeg"
	extension = ".jpg"
)

// kind is an accepted image format. Formats are recognized by their first bytes, and
// only these decoders are used, not others that are registered with package image.
type kind struct {
	is          func(head []byte) bool
	config      func(io.Reader) (image.Config, error)
	decode      func(io.Reader) (image.Image, error)
	orientation func(io.ReadSeeker) orientation
	cost        func(io.ReadSeeker, image.Config) (int64, error) // bytes that decode holds
}

// headBytes are enough to tell a format.
const headBytes = 12

var kinds = []kind{
	{startsWith("\xff\xd8\xff"), jpeg.DecodeConfig, jpeg.Decode, jpegOrientation, jpegCost},
	{startsWith("\x89PNG\r\n\x1a\n"), png.DecodeConfig, png.Decode, pngOrientation, pngCost},
	{isWebP, webp.DecodeConfig, decodeWebP, webpOrientation, webpCost},
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
	need, err := k.needs(ctx, file)
	if err != nil {
		return remade{}, err
	}
	turn := k.orientation(file)
	if err := h.room.Acquire(ctx, need); err != nil {
		return remade{}, err
	}
	defer h.room.Release(need)
	picture, err := read(ctx, file, k.decode)
	if err != nil {
		return remade{}, err
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

// needs is how much room a file takes to be read and scaled, in bytes, by what
// it claims to be: before that costs any.
func (k kind) needs(ctx context.Context, file io.ReadSeeker) (int64, error) {
	config, err := read(ctx, file, k.config)
	if err != nil {
		return 0, err
	}
	if err := mayBe(config); err != nil {
		return 0, err
	}
	cost, err := k.cost(file, config)
	if err != nil {
		return 0, err
	}
	cost += fitCost(image.Pt(config.Width, config.Height))
	if cost > maxAlone {
		return 0, errCostly
	}
	return min(cost, memory), nil
}

// read runs a decoder over the whole file, for as long as the call lasts.
func read[T any](ctx context.Context, file io.ReadSeeker, decode func(io.Reader) (T, error)) (made T, err error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return made, err
	}
	made, err = decode(bufio.NewReader(whileWanted{ctx, file}))
	switch {
	case ctx.Err() != nil:
		return made, ctx.Err()
	case err != nil:
		return made, errBroken
	}
	return made, nil
}

// whileWanted is a reader that fails once its context has ended, because decoders do not
// check contexts.
type whileWanted struct {
	ctx  context.Context
	from io.Reader
}

// Read implements io.Reader.
func (r whileWanted) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}

// mayBe looks at the size that a file claims.
func mayBe(c image.Config) error {
	if c.Width < 1 || c.Height < 1 {
		return errBroken
	}
	if int64(c.Width)*int64(c.Height) > MaxPixels { // formats end at 31 bits each
		return errPixels
	}
	return nil
}
