package images

import (
	"context"
	"encoding/base64"
	"image"
	"slices"

	"golang.org/x/image/draw"

	"secondring/market"
)

// What copies are made of a picture (ADR 8).
const (
	copyType = "image/webp"
	// CopyQuality is the copies', of 100.
	CopyQuality = 75

	blurSide    = 12 // pixels of the placeholder's longer side
	blurQuality = 40
)

// copyWidths are those of the copies, in pixels: a row of a table, a card on a
// phone, the same twice as sharp, and a picture as wide as a screen.
var copyWidths = []int{160, 320, 640, 1280}

// MakeCopies makes WebP variants of a picture in all widths up to its own, and returns
// its metadata. The files are in the order of the widths.
func MakeCopies(ctx context.Context, picture *image.RGBA, quality int) (about market.Picture, files [][]byte, err error) {
	size := picture.Bounds().Size()
	about = market.Picture{Width: size.X, Height: size.Y}
	// Each from the next wider: that is as good, and much less work.
	for _, width := range slices.Backward(copyWidths) {
		if width > size.X {
			continue
		}
		if err := ctx.Err(); err != nil {
			return about, nil, err
		}
		picture = scaled(picture, width, max(1, size.Y*width/size.X))
		if file := encode(picture, quality); file != nil {
			about.Widths, files = append(about.Widths, width), append(files, file)
		}
	}
	slices.Reverse(about.Widths)
	slices.Reverse(files)
	about.Blur = blur(picture, size)
	return about, files, nil
}

// blur is a picture of a dozen pixels, for the browser to draw large and soft.
func blur(picture *image.RGBA, size image.Point) string {
	longer := max(size.X, size.Y)
	tiny := encode(scaled(picture, max(1, size.X*blurSide/longer), max(1, size.Y*blurSide/longer)), blurQuality)
	if tiny == nil {
		return ""
	}
	return "data:" + copyType + ";base64," + base64.StdEncoding.EncodeToString(tiny)
}

// scaled is the picture in another size, or itself in its own.
func scaled(src *image.RGBA, width, height int) *image.RGBA {
	if src.Bounds().Size() == image.Pt(width, height) {
		return src
	}
	dst := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.CatmullRom.Scale(dst, dst.Bounds(), src, src.Bounds(), draw.Src, nil)
	return dst
}
