package images_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"strings"
	"testing"

	"secondring/market"
)

// savedEvidence writes the file of a photograph of one colour.
func (e *env) savedEvidence(n int, size image.Point, c color.Gray) market.Evidence {
	e.t.Helper()
	photo := market.Evidence{ID: fmt.Sprintf("%s%02d", strings.Repeat("ab", 15), n)}
	picture := image.NewGray(image.Rectangle{Max: size})
	for i := range picture.Pix {
		picture.Pix[i] = c.Y
	}
	file := &bytes.Buffer{}
	must(e.t, jpeg.Encode(file, picture, nil))
	must(e.t, e.bucket.WriteAll(e.t.Context(), "evidence-"+photo.ID+".jpg", file.Bytes(), nil))
	return photo
}

func TestContactSheetHasAllPhotographs(t *testing.T) {
	e := newEnv(t)
	photos := []market.Evidence{
		e.savedEvidence(1, image.Pt(1600, 1200), color.Gray{10}), e.savedEvidence(2, image.Pt(300, 300), color.Gray{90}),
		{ID: strings.Repeat("cd", 16)}, // deleted
		e.savedEvidence(4, image.Pt(600, 1600), color.Gray{200}),
	}
	file, err := e.node().ContactSheet(t.Context(), photos, 1<<20)
	must(t, err)
	sheet, err := jpeg.Decode(bytes.NewReader(file))
	must(t, err)
	if size := sheet.Bounds().Size(); size != image.Pt(3*720, 2*720) {
		t.Fatalf("the sheet is %v", size)
	}
	for at, want := range map[image.Point]int{{300, 250}: 10, {720 + 150, 150}: 90, {1440 + 150, 150}: 255, {100, 720 + 600}: 200, {900, 900}: 255} {
		if got := int(color.GrayModel.Convert(sheet.At(at.X, at.Y)).(color.Gray).Y); got < want-4 || got > want+4 {
			t.Errorf("the pixel at %v is %d, want %d", at, got, want)
		}
	}
	smaller, err := e.node().ContactSheet(t.Context(), photos, len(file)-1)
	must(t, err)
	if len(smaller) >= len(file) {
		t.Errorf("the sheet has %d bytes, want less than %d", len(smaller), len(file))
	}
	if _, err := e.node().ContactSheet(t.Context(), photos, 100); err == nil {
		t.Error("a sheet fits into 100 bytes")
	}
}
