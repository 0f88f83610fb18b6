package images

import (
	"context"
	"encoding/base64"
	"image"
	"slices"

	"golang.org/x/image/draw"

	"secondring/market"
)

// Formats and sizes of the copies (ADR 8).
const (
	copyType = "image/webp"
	// CopyQuality is the quality of the copies, up to 100.
	CopyQuality = 75

	blurSide    = 12 // longer side of the placeholder, in pixels
	blurQuality = 40
)

// copyWidths are the widths of the copies, in pixels: a row of a table, a card on a phone,
// both at double resolution, and the width of a screen.
var copyWidths = []int{160, 320, 640, 1280}

// MakeCopies makes WebP variants of a picture in all widths up to its own, and returns its
// metadata. The files are in the order of the widths.
func MakeCopies(ctx context.Context, picture *image.RGBA, quality int) (metadata market.Picture, files [][]byte, err error) {
	size := picture.Bounds().Size()
	metadata = market.Picture{Width: size.X, Height: size.Y}
	// Each copy is made from the next wider one, which is as good and much faster.
	for _, width := range slices.Backward(copyWidths) {
		if width > size.X {
			continue
		}
		if err := ctx.Err(); err != nil {
			return metadata, nil, err
		}
		picture = scaled(picture, width, max(1, size.Y*width/size.X))
		if file := encode(picture, quality); file != nil {
			metadata.Widths, files = append(metadata.Widths, width), append(files, file)
		}
	}
	slices.Reverse(metadata.Widths)
	slices.Reverse(files)
	metadata.Blur = blur(picture, size)
	return metadata, files, nil
}

// blur returns a picture of about a dozen pixels, which the browser enlarges and blurs.
func blur(picture *image.RGBA, size image.Point) string {
	longer := max(size.X, size.Y)
	tiny := encode(scaled(picture, max(1, size.X*blurSide/longer), max(1, size.Y*blurSide/longer)), blurQuality)
	if tiny == nil {
		return ""
	}
	return "data:" + copyType + ";base64," + base64.StdEncoding.EncodeToString(tiny)
}

// scaled returns the picture in another size, or the picture itself if it has this size.
func scaled(src *image.RGBA, width, height int) *image.RGBA {
	if src.Bounds().Size() == image.Pt(width, height) {
		return src
	}
	dst := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.CatmullRom.Scale(dst, dst.Bounds(), src, src.Bounds(), draw.Src, nil)
	return dst
}
