package images

import (
	"bytes"
	"image"
	"io"

	encoder "github.com/deepteams/webp"
	"golang.org/x/image/webp"
)

const (
	// method is how hard the encoder tries. Below 4 it gets colours wrong.
	method = 4
	// block is the side of the squares in which files are compared with what
	// they were made of: the format's own, in pixels.
	block = 16
	// tolerance is how far the light of such a square may be off, of 219.
	tolerance = 20
)

// encode makes a WebP of a picture, or nil. The encoder is young: of some
// pictures of one colour it makes files that are cut off or grey. So each file
// is looked at, and another quality tried where it is not the picture.
func encode(picture *image.RGBA, quality int) []byte {
	options := encoder.DefaultOptions()
	options.Method = method
	for q := quality; q <= 100; q += 10 {
		options.Quality = float32(q)
		var file bytes.Buffer
		if err := encoder.Encode(&file, picture, options); err == nil && shows(file.Bytes(), picture) {
			return file.Bytes()
		}
	}
	return nil
}

// shows tells whether a file is the picture, more or less: each of its squares
// is as light.
func shows(file []byte, picture *image.RGBA) bool {
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
			if off := light(got, square) - lightOf(picture, square); max(off, -off) > tolerance*square.Dx()*square.Dy() {
				return false
			}
		}
	}
	return true
}

// light is a square's luma, added up.
func light(p *image.YCbCr, square image.Rectangle) (sum int) {
	for y := square.Min.Y; y < square.Max.Y; y++ {
		for _, luma := range p.Y[p.YOffset(square.Min.X, y):][:square.Dx()] {
			sum += int(luma)
		}
	}
	return sum
}

// lightOf is the same of a picture yet to be encoded (BT.601).
func lightOf(p *image.RGBA, square image.Rectangle) (sum int) {
	for y := square.Min.Y; y < square.Max.Y; y++ {
		row := p.Pix[p.PixOffset(square.Min.X, y):][:4*square.Dx()]
		for i := 0; i < len(row); i += 4 {
			sum += 16 + (66*int(row[i])+129*int(row[i+1])+25*int(row[i+2]))/256
		}
	}
	return sum
}

// decodeWebP gives the colours of a lossy WebP their whole range. Its luma goes
// from 16 to 235, its chroma from 16 to 240 (RFC 6386, section 9.2, and BT.601);
// the decoder hands both on in a type where they go from 0 to 255, which makes
// black grey and white dull.
func decodeWebP(r io.Reader) (image.Image, error) {
	picture, err := webp.Decode(r)
	if err != nil {
		return nil, err
	}
	switch p := picture.(type) {
	case *image.YCbCr:
		widen(p)
	case *image.NYCbCrA:
		widen(&p.YCbCr)
	}
	return picture, nil
}

func widen(p *image.YCbCr) {
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

// rounded divides to the nearest, away from zero at a half.
func rounded(a, b int) int {
	if a < 0 {
		return -((-a + b/2) / b)
	}
	return (a + b/2) / b
}

func clamped(v int) uint8 { return uint8(max(0, min(255, v))) }
