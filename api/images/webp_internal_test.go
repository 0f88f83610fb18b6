package images

import (
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"testing"
)

func plain(width, height int, grey uint8) *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(picture, picture.Bounds(), image.NewUniform(color.Gray{Y: grey}), image.Point{}, draw.Src)
	return picture
}

// The encoder's first file of some of these is truncated or grey.
func TestBadWebPEncodingIsRepeated(t *testing.T) {
	tried, leftOut := 0, 0
	for _, width := range []int{740, 754, 760, 800, 1000, 1280} {
		for _, height := range []int{30, 40, 44, 45} {
			for _, grey := range []uint8{0, 255} {
				picture := plain(width, height, grey)
				tried++
				if made := encode(picture, CopyQuality); made == nil {
					leftOut++ // the encoder's output varies
				} else if !shows(made, picture) {
					t.Errorf("%d by %d of %d: another picture", width, height, grey)
				}
			}
		}
	}
	if leftOut > tried/4 { // other qualities are tried, so that this is rare
		t.Errorf("%d of %d copies are left out", leftOut, tried)
	}
}

func TestWebPMatchesOnlyItsOwnImage(t *testing.T) {
	picture := plain(100, 70, 250)
	dark := image.Rect(70, 40, 80, 50)
	draw.Draw(picture, dark, image.Black, image.Point{}, draw.Src)
	file := encode(picture, CopyQuality)
	if !shows(file, picture) {
		t.Fatal("it does not show its own")
	}
	for name, other := range map[string]*image.RGBA{
		"without its spot": plain(100, 70, 250), "black": plain(100, 70, 0), "wider": plain(101, 70, 250), "grey": plain(100, 70, 128),
	} {
		if shows(file, other) {
			t.Errorf("it shows the picture that is %s", name)
		}
	}
	for cut := range file {
		if shows(file[:cut], picture) && cut < len(file)*3/4 {
			t.Errorf("%d of %d bytes show it", cut, len(file))
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
		picture, noise := plain(width, height, uint8(r.Int())), r.IntN(2) == 0
		for i := range picture.Pix {
			if noise && i%4 != 3 {
				picture.Pix[i] = uint8(r.Int())
			}
		}
		about, files, err := MakeCopies(t.Context(), picture, CopyQuality)
		wide := 0
		if width >= copyWidths[0] {
			wide = 1
		}
		if err != nil || about.Blur == "" || len(files) != wide || len(about.Widths) != wide {
			t.Errorf("%d by %d, noise %t: %d files, blur %q, %v", width, height, noise, len(files), about.Blur, err)
		}
	}
}
