package main

import (
	"image"
	"image/color"
	"image/draw"
	"slices"
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

func TestColourNeedsSixDigits(t *testing.T) {
	for _, bad := range []string{"", "d6e8e1", "#d6e8", "green"} {
		if c, err := parseHex(bad); err == nil {
			t.Errorf("%q was read as %v", bad, c)
		}
	}
}

// row is phones beside each other on white: where each begins and ends, and how
// tall it is.
func row(parts ...[3]int) shot {
	img := image.NewRGBA(image.Rect(0, 0, 800, 400))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	for _, p := range parts {
		draw.Draw(img, image.Rect(p[0], 380-p[2], p[1], 380), image.NewUniform(color.Gray{Y: 90}), image.Point{}, draw.Src)
	}
	return crop(img)
}

func TestSidesOfAPhoneAreSeparated(t *testing.T) {
	left, right := [3]int{100, 270, 340}, [3]int{300, 470, 338}
	edge := [3]int{500, 530, 340}
	for name, c := range map[string]struct {
		shot      shot
		backFirst bool
		want      []int // left edges, front first
	}{
		"front and back":          {row(left, right), false, []int{100, 300}},
		"back and front":          {row(left, right), true, []int{300, 100}},
		"with the edge":           {row(left, right, edge), false, []int{100, 300, 500}},
		"one face":                {row(left), false, nil},
		"one face and the edge":   {row(left, edge), false, nil},
		"two phones of two sizes": {row(left, [3]int{300, 400, 200}), false, nil},
		"three faces":             {row(left, right, [3]int{500, 670, 340}), false, nil},
		"lying":                   {row([3]int{20, 380, 150}, [3]int{400, 760, 150}), false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []int
			for _, v := range views(c.shot, c.backFirst) {
				got = append(got, v.part.Min.X)
				if size := v.close(c.shot).Bounds().Size(); size != image.Pt(viewWidth, viewHeight) {
					t.Errorf("a view of %v", size)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("parts at %v, want %v", got, c.want)
			}
		})
	}
}
