package images

import "image"

// orientation is the orientation of the camera (EXIF 2.3, tag Orientation): 1 to 8; any other
// value counts as 1, upright.
type orientation uint16

const upright orientation = 1

// apply rotates and mirrors a picture so that it is upright.
func (o orientation) apply(src *image.RGBA) *image.RGBA {
	if o < 2 || o > 8 {
		return src
	}
	w, h := src.Bounds().Dx(), src.Bounds().Dy()
	size := image.Pt(w, h)
	if o >= 5 { // rotated by 90 degrees
		size = image.Pt(h, w)
	}
	dst := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			from := o.source(x, y, w, h)
			copy(dst.Pix[dst.PixOffset(x, y):][:4], src.Pix[src.PixOffset(from.X, from.Y):][:4])
		}
	}
	return dst
}

// source returns where the upright picture's pixel at x, y is in the file. The file has w
// by h pixels.
func (o orientation) source(x, y, w, h int) image.Point {
	switch o {
	case 2: // mirrored
		return image.Pt(w-1-x, y)
	case 3: // upside down
		return image.Pt(w-1-x, h-1-y)
	case 4: // upside down, mirrored
		return image.Pt(x, h-1-y)
	case 5: // rotated, mirrored
		return image.Pt(y, x)
	case 6: // rotate clockwise
		return image.Pt(y, h-1-x)
	case 7: // rotated the other way, mirrored
		return image.Pt(w-1-y, h-1-x)
	case 8: // rotate counterclockwise
		return image.Pt(w-1-y, x)
	default:
		return image.Pt(x, y)
	}
}
