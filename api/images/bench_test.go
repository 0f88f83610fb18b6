package images_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"math"
	"testing"

	"secondring/api/images"
)

// photographOf returns a picture with light, shade and grain, like a camera's.
func photographOf(width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	seed := uint32(1)
	for y := range height {
		for x := range width {
			seed = seed*1664525 + 1013904223
			v := 128 + 90*math.Sin(float64(x)/97)*math.Cos(float64(y)/131) + float64(seed>>28)
			i := img.PixOffset(x, y)
			img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = uint8(v), uint8(v*0.8), uint8(255-v), 255
		}
	}
	return img
}

// BenchmarkCopies measures the slowest steps of an upload: making the copies of the largest
// picture that is kept, and decoding a camera's picture.
func BenchmarkCopies(b *testing.B) {
	picture := photographOf(1600, 1200)
	for b.Loop() {
		if _, _, err := images.MakeCopies(b.Context(), picture, images.CopyQuality); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecoding12Megapixels(b *testing.B) {
	var file bytes.Buffer
	if err := jpeg.Encode(&file, photographOf(4000, 3000), nil); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := jpeg.Decode(bytes.NewReader(file.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}
