package main

import (
	"image"
	"image/color"
	"image/draw"
	"testing"
)

// A white phone with a grey rim on a white ground, with two specks of dirt.
func whitePhone() image.Image {
	img := image.NewRGBA(image.Rect(0, 0, 200, 100))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(60, 20, 100, 90), image.NewUniform(color.Gray{Y: 120}), image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(62, 22, 98, 88), image.White, image.Point{}, draw.Src)
	img.Set(5, 5, color.Gray{Y: 200})
	img.Set(190, 95, color.Gray{Y: 200})
	return img
}

func TestCropKeepsTheFaceOfAWhitePhone(t *testing.T) {
	phone := crop(whitePhone()).cut
	if want := image.Rect(60, 20, 100, 90); phone.Bounds() != want {
		t.Fatalf("cropped to %v, want %v without the specks", phone.Bounds(), want)
	}
	if _, _, _, a := phone.At(80, 50).RGBA(); a == 0 {
		t.Error("the white face was taken for ground")
	}
}

func TestCardKeepsShapeAndMargin(t *testing.T) {
	for name, shape := range map[string]image.Rectangle{
		"wide":  image.Rect(0, 0, 800, 300),
		"tall":  image.Rect(0, 0, 200, 900),
		"small": image.Rect(0, 0, 40, 70),
	} {
		box := image.Rect(0, 0, cardWidth, cardHeight).Inset(cardMargin)
		at := fit(shape, box)
		if !at.In(box) || (at.Dx() != box.Dx() && at.Dy() != box.Dy()) {
			t.Errorf("%s: %v does not fill %v", name, at, box)
		}
		was, is := float64(shape.Dx())/float64(shape.Dy()), float64(at.Dx())/float64(at.Dy())
		if is/was < 0.98 || is/was > 1.02 {
			t.Errorf("%s: shape went from %.2f to %.2f", name, was, is)
		}
		left, right := at.Min.X-box.Min.X, box.Max.X-at.Max.X
		if left-right > 1 || right-left > 1 {
			t.Errorf("%s: %d px left of it, %d right", name, left, right)
		}
	}
}

func TestTileIsTintedAroundThePhone(t *testing.T) {
	ground, err := parseHex("#d6e8e1")
	if err != nil {
		t.Fatal(err)
	}
	img := tile(crop(whitePhone()), ground)
	corner := color.RGBAModel.Convert(img.At(3, tileHeight/4)).(color.RGBA)
	if corner.R > corner.G || corner.G < 200 {
		t.Errorf("the ground is %v", corner)
	}
	middle := color.RGBAModel.Convert(img.At(tileWidth/2, tileHeight/2)).(color.RGBA)
	if min(middle.R, middle.G, middle.B) < 250 {
		t.Errorf("the phone's face is %v", middle)
	}
}

func TestAColourNeedsSixDigits(t *testing.T) {
	for _, bad := range []string{"", "d6e8e1", "#d6e8", "green"} {
		if c, err := parseHex(bad); err == nil {
			t.Errorf("%q was read as %v", bad, c)
		}
	}
}
