package images

import (
	"bytes"
	"image"
	"io"

	encoder "github.com/deepteams/webp"
	"golang.org/x/image/webp"
)

const (
	// method is the encoder's effort. Below 4 it encodes wrong colours.
	method = 4
	// block is the side of the squares in which a file is compared with its source: the
	// format's block size, in pixels.
	block = 16
	// tolerance is how much the average luma of a square may differ, of 219.
	tolerance = 20
)

// isAnimated returns whether the head of a WebP says that it has several pictures (WebP Container
// Specification, VP8X). They are not read.
func isAnimated(head []byte) bool {
	const flags, animation = 20, 1 << 1
	return len(head) > flags && string(head[12:16]) == "VP8X" && head[flags]&animation != 0
}

// encode returns a WebP of a picture, or nil. The encoder has bugs: some pictures of one
// colour become truncated or grey files. So each file is compared with the picture, and
// another quality is tried if they differ.
func encode(picture *image.RGBA, quality int) []byte {
	options := encoder.DefaultOptions()
	options.Method = method
	for q := quality; q <= 100; q += 10 {
		options.Quality = float32(q)
		var file bytes.Buffer
		if err := encoder.Encode(&file, picture, options); err == nil && isSimilar(file.Bytes(), picture) {
			return file.Bytes()
		}
	}
	return nil
}

// isSimilar returns whether a file is similar to the picture: each square has about the same
// luma.
func isSimilar(file []byte, picture *image.RGBA) bool {
	decoded, err := webp.Decode(bytes.NewReader(file))
	if err != nil {
		return false
	}
	got, lossy := decoded.(*image.YCbCr)
	size := picture.Bounds().Size()
	if !lossy || got.Bounds().Size() != size {
		return false
	}
	for y := 0; y < size.Y; y += block {
		for x := 0; x < size.X; x += block {
			square := image.Rect(x, y, min(x+block, size.X), min(y+block, size.Y))
			if difference := luma(got, square) - lumaOf(picture, square); max(difference, -difference) > tolerance*square.Dx()*square.Dy() {
				return false
			}
		}
	}
	return true
}

// luma returns the sum of a square's luma.
func luma(p *image.YCbCr, square image.Rectangle) (sum int) {
	for y := square.Min.Y; y < square.Max.Y; y++ {
		for _, luma := range p.Y[p.YOffset(square.Min.X, y):][:square.Dx()] {
			sum += int(luma)
		}
	}
	return sum
}

// lumaOf returns the sum of the luma of a square of an unencoded picture (BT.601).
func lumaOf(p *image.RGBA, square image.Rectangle) (sum int) {
	for y := square.Min.Y; y < square.Max.Y; y++ {
		row := p.Pix[p.PixOffset(square.Min.X, y):][:4*square.Dx()]
		for i := 0; i < len(row); i += 4 {
			sum += 16 + (66*int(row[i])+129*int(row[i+1])+25*int(row[i+2]))/256
		}
	}
	return sum
}

// decodeWebP decodes a lossy WebP with the full range of colours. Its luma has values from
// 16 to 235, its chroma from 16 to 240 (RFC 6386, section 9.2, and BT.601). The decoder
// returns both in a type with values from 0 to 255, which turns black into grey and white
// into light grey.
func decodeWebP(r io.Reader) (image.Image, error) {
	picture, err := webp.Decode(r)
	if err != nil {
		return nil, err
	}
	switch p := picture.(type) {
	case *image.YCbCr:
		toFullRange(p)
	case *image.NYCbCrA:
		toFullRange(&p.YCbCr)
	}
	return picture, nil
}

func toFullRange(p *image.YCbCr) {
	var luma, chroma [256]uint8
	for i := range 256 {
		luma[i] = clamped(rounded((i-16)*255, 219))
		chroma[i] = clamped(128 + rounded((i-128)*255, 224))
	}
	for i, y := range p.Y {
		p.Y[i] = luma[y]
	}
	for _, plane := range [][]uint8{p.Cb, p.Cr} {
		for i, c := range plane {
			plane[i] = chroma[c]
		}
	}
}

// rounded divides and rounds to the nearest number, half away from zero.
func rounded(a, b int) int {
	if a < 0 {
		return -((-a + b/2) / b)
	}
	return (a + b/2) / b
}

func clamped(v int) uint8 { return uint8(max(0, min(255, v))) }
