package images

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"

	"gocloud.dev/gcerrors"
	"golang.org/x/image/draw"

	"secondring/market"
)

// The layout of a contact sheet.
const (
	sheetColumns = 3
	sheetTile    = 720 // the place of one picture, a square; pixels
)

// sheetQualities are the qualities of the JPEG that are tried until it is small enough.
var sheetQualities = []int{80, 60, 40, 20}

// ContactSheet implements market.EvidencePictures. The place of a picture that was deleted, or that cannot be
// decoded any more, is white.
func (h *Host) ContactSheet(ctx context.Context, photos []market.Evidence, maxBytes int) ([]byte, error) {
	if err := h.processors.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer h.processors.Release(1)
	rows := (len(photos) + sheetColumns - 1) / sheetColumns
	sheet := image.NewRGBA(image.Rect(0, 0, min(len(photos), sheetColumns)*sheetTile, rows*sheetTile))
	draw.Draw(sheet, sheet.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	for i, photo := range photos {
		file, err := h.bucket.ReadAll(ctx, evidenceFile(photo))
		if gcerrors.Code(err) == gcerrors.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		if picture, err := jpeg.Decode(bytes.NewReader(file)); err == nil {
			at := image.Pt(i%sheetColumns, i/sheetColumns).Mul(sheetTile)
			draw.ApproxBiLinear.Scale(sheet, tileOf(picture.Bounds().Size()).Add(at), picture, picture.Bounds(), draw.Src, nil)
		}
	}
	return encodeWithin(sheet, maxBytes)
}

// tileOf returns the rectangle of a picture of a size in its place, with a border between two pictures.
func tileOf(size image.Point) image.Rectangle {
	const border = 8
	const most = sheetTile - 2*border
	if longest := max(size.X, size.Y); longest > most {
		size = image.Pt(max(1, size.X*most/longest), max(1, size.Y*most/longest))
	}
	return image.Rectangle{Max: size}.Add(image.Pt(border, border))
}

// encodeWithin encodes a picture as a JPEG of at most maxBytes.
func encodeWithin(picture image.Image, maxBytes int) ([]byte, error) {
	for _, quality := range sheetQualities {
		out := &bytes.Buffer{}
		if err := jpeg.Encode(out, picture, &jpeg.Options{Quality: quality}); err != nil {
			return nil, err
		}
		if out.Len() <= maxBytes {
			return out.Bytes(), nil
		}
	}
	return nil, fmt.Errorf("images: a contact sheet of %v does not fit into %d bytes", picture.Bounds().Size(), maxBytes)
}
