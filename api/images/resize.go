package images

import (
	"image"
	"image/color"

	"golang.org/x/image/draw"
)

// fitted returns the size of a picture after scaling to at most maxSide.
func fitted(size image.Point) image.Point {
	if longest := max(size.X, size.Y); longest > maxSide {
		size.X = max(1, size.X*maxSide/longest)
		size.Y = max(1, size.Y*maxSide/longest)
	}
	return size
}

// fit scales a picture down to maxSide, and puts transparent pixels on white. It first
// divides the size of a large one by a whole number, because good scaling needs memory in
// proportion to its input.
func fit(src image.Image) *image.RGBA {
	size := fitted(src.Bounds().Size())
	if k := divisor(src.Bounds().Size()); k > 1 {
		src = divided(src, k)
	}
	dst := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(dst, dst.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	if size == src.Bounds().Size() {
		draw.Draw(dst, dst.Bounds(), src, src.Bounds().Min, draw.Over)
	} else {
		draw.CatmullRom.Scale(dst, dst.Bounds(), src, src.Bounds(), draw.Over, nil)
	}
	return dst
}

// divisor returns the whole number by which the size of a picture is divided before it is scaled.
func divisor(size image.Point) int { return max(size.X, size.Y) / maxSide }

// fitCost returns the memory that fit needs in addition to the picture, in bytes.
func fitCost(size image.Point) int64 {
	k := max(1, divisor(size))
	to, from := fitted(size), image.Pt(size.X/k+1, size.Y/k+1)
	return int64(to.X)*int64(from.Y)*scaleBytes + 4*int64(from.X)*int64(from.Y)
}

// divided returns the picture on white, divided in size by k: each pixel is the average of k by k
// pixels. Those of the last column and row may be the average of
// fewer.
func divided(src image.Image, k int) *image.RGBA {
	size := src.Bounds().Size()
	dst := image.NewRGBA(image.Rect(0, 0, (size.X+k-1)/k, (size.Y+k-1)/k))
	strip := image.NewRGBA(image.Rect(0, 0, size.X, k))
	for y := range dst.Rect.Dy() {
		rows := min(k, size.Y-y*k)
		draw.Draw(strip, strip.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
		draw.Draw(strip, image.Rect(0, 0, size.X, rows), src, src.Bounds().Min.Add(image.Pt(0, y*k)), draw.Over)
		for x := range dst.Rect.Dx() {
			average(dst.Pix[dst.PixOffset(x, y):], strip, image.Rect(x*k, 0, min(x*k+k, size.X), rows))
		}
	}
	return dst
}

// average writes the average colour of a square.
func average(to []uint8, of *image.RGBA, square image.Rectangle) {
	var red, green, blue int
	for y := square.Min.Y; y < square.Max.Y; y++ {
		row := of.Pix[of.PixOffset(square.Min.X, y):][:4*square.Dx()]
		for i := 0; i < len(row); i += 4 {
			red, green, blue = red+int(row[i]), green+int(row[i+1]), blue+int(row[i+2])
		}
	}
	n := square.Dx() * square.Dy()
	to[0], to[1], to[2], to[3] = uint8((red+n/2)/n), uint8((green+n/2)/n), uint8((blue+n/2)/n), 0xff
}
