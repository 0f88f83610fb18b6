package images

import (
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"testing"
)

// plainImage returns an image of one shade of grey.
func plainImage(width, height int, grey uint8) *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(picture, picture.Bounds(), image.NewUniform(color.Gray{Y: grey}), image.Point{}, draw.Src)
	return picture
}

// The encoder's first file of some of these is truncated or grey.
func TestBadWebPEncodingIsRepeated(t *testing.T) {
	total, missing := 0, 0
	for _, width := range []int{740, 754, 760, 800, 1000, 1280} {
		for _, height := range []int{30, 40, 44, 45} {
			for _, grey := range []uint8{0, 255} {
				picture := plainImage(width, height, grey)
				total++
				if file := encode(picture, CopyQuality); file == nil {
					missing++ // the encoder's output varies
				} else if !isSimilar(file, picture) {
					t.Errorf("%d by %d of grey %d: the file shows another picture", width, height, grey)
				}
			}
		}
	}
	if missing > total/4 { // other qualities are tried, so that this is rare
		t.Errorf("%d of %d variants are missing, want at most a quarter", missing, total)
	}
}

func TestWebPMatchesOnlyItsOwnImage(t *testing.T) {
	picture := plainImage(100, 70, 250)
	spot := image.Rect(70, 40, 80, 50)
	draw.Draw(picture, spot, image.Black, image.Point{}, draw.Src)
	file := encode(picture, CopyQuality)
	if !isSimilar(file, picture) {
		t.Fatal("the file does not show its own picture")
	}
	for name, other := range map[string]*image.RGBA{
		"without its spot": plainImage(100, 70, 250), "black": plainImage(100, 70, 0), "wider": plainImage(101, 70, 250), "grey": plainImage(100, 70, 128),
	} {
		if isSimilar(file, other) {
			t.Errorf("the file shows the picture that is %s", name)
		}
	}
	for n := range file {
		if isSimilar(file[:n], picture) && n < len(file)*3/4 {
			t.Errorf("the first %d of %d bytes show the picture", n, len(file))
		}
	}
}

func TestImagesOfAnyShapeHaveVariants(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 60 {
		width, height := 1+r.IntN(200), 1+r.IntN(200)
		if r.IntN(3) == 0 {
			width = 1 + r.IntN(3)
		} else if r.IntN(3) == 0 {
			height = 1 + r.IntN(3)
		}
		picture, noise := plainImage(width, height, uint8(r.Int())), r.IntN(2) == 0
		for i := range picture.Pix {
			if noise && i%4 != 3 {
				picture.Pix[i] = uint8(r.Int())
			}
		}
		metadata, files, err := MakeCopies(t.Context(), picture, CopyQuality)
		variants := 0
		if width >= copyWidths[0] {
			variants = 1
		}
		if err != nil || metadata.Blur == "" || len(files) != variants || len(metadata.Widths) != variants {
			t.Errorf("%d by %d, noise %t: %d files, blur %q, %v", width, height, noise, len(files), metadata.Blur, err)
		}
	}
}
