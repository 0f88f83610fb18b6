package main

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"

	xdraw "golang.org/x/image/draw"
)

// Sizes in pixels. Every card has the same canvas and the phones the same
// margin, so that they line up in a grid.
const (
	cardWidth, cardHeight, cardMargin = 640, 600, 32
	tileWidth, tileHeight, tileMargin = 720, 540, 60

	// nearWhite is the darkest grey of an empty ground: JPEG leaves specks.
	nearWhite = 244
)

// card centres the phones on white, with their own ground: what little grey is
// left of it is the light edge of a white phone as often as dirt.
func card(s shot) *image.RGBA {
	canvas := image.NewRGBA(image.Rect(0, 0, cardWidth, cardHeight))
	draw.Draw(canvas, canvas.Bounds(), image.White, image.Point{}, draw.Src)
	at := fit(s.whole.Bounds(), canvas.Bounds().Inset(cardMargin))
	xdraw.CatmullRom.Scale(canvas, at, s.whole, s.whole.Bounds(), draw.Src, nil)
	return canvas
}

// tile sets the cut-out phones on a tinted ground that darkens a little towards
// the foot, with a soft shadow under it.
func tile(s shot, ground color.RGBA) *image.RGBA {
	canvas := image.NewRGBA(image.Rect(0, 0, tileWidth, tileHeight))
	for y := range tileHeight {
		shade := 1.03 - 0.13*float64(y)/tileHeight
		row := color.RGBA{lit(ground.R, shade), lit(ground.G, shade), lit(ground.B, shade), 255}
		draw.Draw(canvas, image.Rect(0, y, tileWidth, y+1), image.NewUniform(row), image.Point{}, draw.Src)
	}
	phone := s.cut
	at := fit(phone.Bounds(), canvas.Bounds().Inset(tileMargin))
	for range 2 {
		phone = trim(phone)
	}
	cutout := image.NewRGBA(canvas.Bounds())
	xdraw.CatmullRom.Scale(cutout, at, phone, phone.Bounds(), draw.Src, nil)
	shadow(canvas, cutout)
	draw.Draw(canvas, canvas.Bounds(), cutout, image.Point{}, draw.Over)
	return canvas
}

// shadow darkens canvas where the blurred outline of the cut-out falls, some
// pixels lower. Scaling the outline down and up again is the blur.
func shadow(canvas, cutout *image.RGBA) {
	const drop, coarse, strength = 14, 18, 70
	outline := image.NewAlpha(cutout.Bounds())
	draw.DrawMask(outline, outline.Bounds(), image.Opaque, image.Point{}, cutout, image.Point{}, draw.Src)
	small := image.NewAlpha(image.Rect(0, 0, tileWidth/coarse, tileHeight/coarse))
	xdraw.BiLinear.Scale(small, small.Bounds(), outline, outline.Bounds(), draw.Src, nil)
	soft := image.NewAlpha(cutout.Bounds())
	xdraw.CatmullRom.Scale(soft, soft.Bounds(), small, small.Bounds(), draw.Src, nil)
	for i, a := range soft.Pix {
		soft.Pix[i] = uint8(int(a) * strength / 255)
	}
	draw.DrawMask(canvas, canvas.Bounds().Add(image.Pt(0, drop)), image.Black, image.Point{}, soft, image.Point{}, draw.Over)
}

// shot is a photo, cropped to the phones in it.
type shot struct {
	whole *image.NRGBA // on its white ground
	cut   *image.NRGBA // the same with the ground transparent
}

// crop finds the ground around the phones, makes it transparent in one copy,
// and crops to what is left. Only white that reaches the picture's edge counts
// as ground: a white phone keeps its face.
func crop(src image.Image) shot {
	b := src.Bounds()
	whole := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(whole, whole.Bounds(), src, b.Min, draw.Src)
	cut := image.NewNRGBA(whole.Bounds())
	copy(cut.Pix, whole.Pix)
	queue := border(cut.Bounds())
	for len(queue) > 0 {
		p := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if !p.In(cut.Bounds()) || !isGround(cut.NRGBAAt(p.X, p.Y)) {
			continue
		}
		cut.SetNRGBA(p.X, p.Y, color.NRGBA{R: 255, G: 255, B: 255})
		queue = append(queue, p.Add(image.Pt(1, 0)), p.Add(image.Pt(-1, 0)), p.Add(image.Pt(0, 1)), p.Add(image.Pt(0, -1)))
	}
	box := content(cut)
	return shot{whole: whole.SubImage(box).(*image.NRGBA), cut: cut.SubImage(box).(*image.NRGBA)}
}

// trim takes away bright pixels along the outline: what JPEG smeared of the
// white ground onto the phone's edge, invisible on white but not on a tint.
func trim(phone *image.NRGBA) *image.NRGBA {
	const bright = 190
	b := phone.Bounds()
	out := image.NewNRGBA(b)
	copyRect(out, phone)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := phone.NRGBAAt(x, y)
			if c.A != 0 && min(c.R, c.G, c.B) >= bright && onEdge(phone, x, y) {
				out.SetNRGBA(x, y, color.NRGBA{R: 255, G: 255, B: 255})
			}
		}
	}
	return out
}

func copyRect(to, from *image.NRGBA) {
	for y := from.Rect.Min.Y; y < from.Rect.Max.Y; y++ {
		start, end := from.PixOffset(from.Rect.Min.X, y), from.PixOffset(from.Rect.Max.X, y)
		copy(to.Pix[to.PixOffset(from.Rect.Min.X, y):], from.Pix[start:end])
	}
}

// onEdge reports whether a neighbour is transparent or outside.
func onEdge(img *image.NRGBA, x, y int) bool {
	return img.NRGBAAt(x-1, y).A == 0 || img.NRGBAAt(x+1, y).A == 0 ||
		img.NRGBAAt(x, y-1).A == 0 || img.NRGBAAt(x, y+1).A == 0
}

func isGround(c color.NRGBA) bool {
	return c.A != 0 && min(c.R, c.G, c.B) >= nearWhite
}

func border(r image.Rectangle) []image.Point {
	var edge []image.Point
	for x := r.Min.X; x < r.Max.X; x++ {
		edge = append(edge, image.Pt(x, r.Min.Y), image.Pt(x, r.Max.Y-1))
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		edge = append(edge, image.Pt(r.Min.X, y), image.Pt(r.Max.X-1, y))
	}
	return edge
}

// content is the smallest rectangle that holds every row and column with more
// than a speck in it.
func content(img *image.NRGBA) image.Rectangle {
	const speck = 3
	b := img.Bounds()
	rows, cols := make([]int, b.Dy()), make([]int, b.Dx())
	for y := range rows {
		for x := range cols {
			if img.NRGBAAt(b.Min.X+x, b.Min.Y+y).A != 0 {
				rows[y]++
				cols[x]++
			}
		}
	}
	top, bottom := span(rows, speck)
	left, right := span(cols, speck)
	return image.Rect(left, top, right, bottom).Add(b.Min)
}

func span(counts []int, speck int) (from, to int) {
	for from < len(counts) && counts[from] < speck {
		from++
	}
	for to = len(counts); to > from && counts[to-1] < speck; {
		to--
	}
	return from, to
}

// fit is the largest rectangle of a's shape in the middle of box.
func fit(a, box image.Rectangle) image.Rectangle {
	w, h := box.Dx(), a.Dy()*box.Dx()/a.Dx()
	if h > box.Dy() {
		w, h = a.Dx()*box.Dy()/a.Dy(), box.Dy()
	}
	at := box.Min.Add(image.Pt((box.Dx()-w)/2, (box.Dy()-h)/2))
	return image.Rectangle{Min: at, Max: at.Add(image.Pt(w, h))}
}

func lit(c uint8, by float64) uint8 { return uint8(min(255, float64(c)*by)) }

func parseHex(s string) (color.RGBA, error) {
	c := color.RGBA{A: 255}
	if _, err := fmt.Sscanf(s, "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil {
		return c, fmt.Errorf("colour %q: %w", s, err)
	}
	return c, nil
}
