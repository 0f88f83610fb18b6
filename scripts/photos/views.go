package main

import (
	"image"
	"image/draw"

	xdraw "golang.org/x/image/draw"

	"secondring/cmd/secondring/demo/models"
)

// Most photographs show a phone from several sides, next to each other. Each
// side is cut out as a picture of its own: nothing is made up for it, it is a
// part of the photograph seen closer.

// Sizes in pixels. A view is upright as a phone is.
const viewWidth, viewHeight, viewMargin = 480, 600, 24

const (
	// minFace is how wide the front or the back is at least, and maxSide how
	// wide a phone seen edge-on is at most, of the widest part.
	minFace, maxSide = 0.72, 0.34
	// minTall is how tall every part is at least, of the tallest.
	minTall = 0.8
)

// view is one side of a phone.
type view struct {
	side models.Side
	part image.Rectangle // of the photograph
}

// views finds the sides in a photo: front, back, and the edge if it is visible. It
// returns nil if it cannot tell for sure which is which: if there are not exactly two
// faces, they overlap, or a white phone merges with the background.
func views(s shot, backFirst bool) []view {
	parts := apart(s.cut)
	widest, tallest := 0, 0
	for _, p := range parts {
		widest, tallest = max(widest, p.Dx()), max(tallest, p.Dy())
	}
	var faces []image.Rectangle
	var edge image.Rectangle
	for _, p := range parts {
		share := float64(p.Dx()) / float64(widest)
		switch {
		case float64(p.Dy()) < minTall*float64(tallest):
			return nil
		case share >= minFace:
			faces = append(faces, p)
		case share <= maxSide && edge.Empty():
			edge = p
		case share > maxSide:
			return nil
		}
	}
	if len(faces) != 2 || faces[0].Dx() > faces[0].Dy() {
		return nil
	}
	if backFirst {
		faces[0], faces[1] = faces[1], faces[0]
	}
	found := []view{{models.Front, faces[0]}, {models.Back, faces[1]}}
	if !edge.Empty() {
		found = append(found, view{models.Edge, edge})
	}
	return found
}

// apart splits a cut-out at the columns where next to nothing is, and leaves
// out crumbs.
func apart(cut *image.NRGBA) []image.Rectangle {
	b := cut.Bounds()
	speck, crumb := b.Dy()/60, b.Dx()/60
	var parts []image.Rectangle
	from := -1
	for x := b.Min.X; x <= b.Max.X; x++ {
		filled := 0
		for y := b.Min.Y; x < b.Max.X && y < b.Max.Y; y++ {
			if cut.NRGBAAt(x, y).A != 0 {
				filled++
			}
		}
		switch {
		case filled > speck && from < 0:
			from = x
		case filled <= speck && from >= 0:
			if x-from > crumb {
				column := cut.SubImage(image.Rect(from, b.Min.Y, x, b.Max.Y)).(*image.NRGBA)
				parts = append(parts, content(column))
			}
			from = -1
		}
	}
	return parts
}

// close sets one side on a canvas of its own.
func (v view) close(s shot) *image.RGBA {
	canvas := image.NewRGBA(image.Rect(0, 0, viewWidth, viewHeight))
	draw.Draw(canvas, canvas.Bounds(), image.White, image.Point{}, draw.Src)
	at := fit(v.part, canvas.Bounds().Inset(viewMargin))
	xdraw.CatmullRom.Scale(canvas, at, s.whole, v.part, draw.Src, nil)
	return canvas
}
