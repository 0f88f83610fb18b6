package images

import (
	"encoding/binary"
	"image"
	"math"
	"sync"
)

// Stored pictures are sRGB, because browsers take a picture without a profile for sRGB. Cameras and
// phones also write Display P3 and Adobe RGB. Their profiles have a curve for each channel and a
// matrix (ICC.1:2022, 8.3.3). Other profiles, with tables, and invalid ones are ignored.

// matrix converts linear colours.
type matrix [3][3]float64

// colours converts the colours of a picture to sRGB.
type colours struct {
	linear [3][256]float32 // the linear values of each channel
	to     matrix          // to linear sRGB
}

// The whites and primaries are CIE XYZ relative to D50, to which profiles are adapted (ICC.1:2022, 6.3).
var (
	d50 = [3]float64{0.9642, 1, 0.8249}
	// toSRGB is the inverse of the primaries of sRGB (IEC 61966-2-1) adapted to D50.
	toSRGB = matrix{
		{3.1338561, -1.6168667, -0.4906146},
		{-0.9787684, 1.9161415, 0.0334540},
		{0.0719453, -0.2289914, 1.4052427},
	}
	// adobePrimaries are those of Adobe RGB (1998), a primary a column.
	adobePrimaries = matrix{
		{0.6097559, 0.2052401, 0.1492240},
		{0.3111242, 0.6256560, 0.0632197},
		{0.0194811, 0.0608902, 0.7448387},
	}
)

// adobeGamma is the exponent of Adobe RGB (1998).
const adobeGamma = 563.0 / 256

// coloursOf returns how the colours of a file are converted; nil if they are sRGB, or unknown.
func coloursOf(m fileMetadata) *colours {
	c, ok := readProfile(m.profile)
	if !ok && m.profile == nil && readTIFF(m.exif).isAdobeRGB() {
		c, ok = adobeRGB(), true
	}
	if !ok || c.changesNothing() {
		return nil
	}
	return &c
}

func adobeRGB() colours {
	curve, _ := sampled(func(x float64) float64 { return math.Pow(x, adobeGamma) })
	return colours{linear: [3][256]float32{curve, curve, curve}, to: toSRGB.times(adobePrimaries)}
}

// readProfile reads a profile with a matrix, or of greys. It returns false for any other.
func readProfile(data []byte) (c colours, ok bool) {
	p := profile(data)
	if !p.isValid() || p.word(20) != "XYZ " {
		return c, false
	}
	if p.word(16) == "GRAY" {
		grey, ok := p.curve("kTRC")
		return colours{linear: [3][256]float32{grey, grey, grey}, to: matrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, ok
	}
	var primaries matrix
	white := [3]float64{}
	for i, name := range []string{"r", "g", "b"} {
		xyz, hasXYZ := p.xyz(name + "XYZ")
		curve, hasCurve := p.curve(name + "TRC")
		if !hasXYZ || !hasCurve {
			return c, false
		}
		c.linear[i] = curve
		for j := range xyz {
			primaries[j][i] = xyz[j]
			white[j] += xyz[j]
		}
	}
	for j := range white { // all primaries together are white
		if math.Abs(white[j]-d50[j]) > 0.05 {
			return c, false
		}
	}
	c.to = toSRGB.times(primaries)
	return c, p.word(16) == "RGB "
}

func (m matrix) times(other matrix) (product matrix) {
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				product[i][j] += m[i][k] * other[k][j]
			}
		}
	}
	return product
}

// convert converts the colours of an opaque picture. Colours that sRGB does not have become the
// nearest value of each channel.
func (c *colours) convert(picture *image.RGBA) {
	pix := picture.Pix
	for i := 0; i+3 < len(pix); i += 4 {
		pix[i], pix[i+1], pix[i+2] = c.colour(pix[i], pix[i+1], pix[i+2])
	}
}

func (c *colours) colour(r, g, b uint8) (red, green, blue uint8) {
	lr, lg, lb := float64(c.linear[0][r]), float64(c.linear[1][g]), float64(c.linear[2][b])
	channel := func(row [3]float64) uint8 {
		v := row[0]*lr + row[1]*lg + row[2]*lb
		return encodedSRGB()[int(max(0, min(1, v))*math.MaxUint16+0.5)]
	}
	return channel(c.to[0]), channel(c.to[1]), channel(c.to[2])
}

// changesNothing returns whether the colours are sRGB but for rounding.
func (c *colours) changesNothing() bool {
	const step = 15
	for r := 0; r < 256; r += step {
		for g := 0; g < 256; g += step {
			for b := 0; b < 256; b += step {
				red, green, blue := c.colour(uint8(r), uint8(g), uint8(b))
				if max(distance(red, r), distance(green, g), distance(blue, b)) > 1 {
					return false
				}
			}
		}
	}
	return true
}

func distance(a uint8, b int) int { return max(int(a)-b, b-int(a)) }

// encodedSRGB returns the values of sRGB for linear ones of 16 bits (IEC 61966-2-1).
var encodedSRGB = sync.OnceValue(func() *[math.MaxUint16 + 1]uint8 {
	var table [math.MaxUint16 + 1]uint8
	for i := range table {
		v := float64(i) / math.MaxUint16
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		table[i] = uint8(v*255 + 0.5)
	}
	return &table
})

// profile is a file of the format ICC.1. Its numbers are checked where they are read.
type profile []byte

const profileHeader = 128 // bytes

func (p profile) isValid() bool { return len(p) >= profileHeader+4 && p.word(36) == "acsp" }

func (p profile) word(at int) string { return string(p[at:][:4]) }

// tag returns the data of a tag, which has a type of four letters and four zeros before it; nil if
// the profile has none of the type.
func (p profile) tag(name string, types ...string) (kind string, data []byte) {
	const maxTags, size, head = 200, 12, 8
	table := p[profileHeader+4:]
	for range min(maxTags, binary.BigEndian.Uint32(p[profileHeader:])) {
		if len(table) < size {
			break
		}
		at, length := uint64(binary.BigEndian.Uint32(table[4:])), uint64(binary.BigEndian.Uint32(table[8:]))
		if string(table[:4]) == name && length >= head && at+length <= uint64(len(p)) {
			data = p[at : at+length]
			for _, kind := range types {
				if string(data[:4]) == kind {
					return kind, data[head:]
				}
			}
		}
		table = table[size:]
	}
	return "", nil
}

func (p profile) xyz(name string) (xyz [3]float64, ok bool) {
	_, data := p.tag(name, "XYZ ")
	return [3]float64(fixed(data, 3)), len(data) >= 12
}

// fixed returns n numbers with 16 bits after the point (s15Fixed16Number); zeros where data ends.
func fixed(data []byte, n int) []float64 {
	numbers := make([]float64, n)
	for i := range numbers {
		if len(data) >= 4*i+4 {
			numbers[i] = float64(int32(binary.BigEndian.Uint32(data[4*i:]))) / (1 << 16)
		}
	}
	return numbers
}

// curve returns the linear value of each encoded one.
func (p profile) curve(name string) (curve [256]float32, ok bool) {
	switch kind, data := p.tag(name, "curv", "para"); kind {
	case "curv":
		return tableCurve(data)
	case "para":
		return parametricCurve(data)
	}
	return curve, false
}

// tableCurve reads a table of values, a single exponent, or no change (ICC.1:2022, 10.6).
func tableCurve(data []byte) (curve [256]float32, ok bool) {
	if len(data) < 4 {
		return curve, false
	}
	count, values := uint64(binary.BigEndian.Uint32(data)), data[4:]
	if uint64(len(values)) < 2*count {
		return curve, false
	}
	at := func(i int) float64 { return float64(binary.BigEndian.Uint16(values[2*i:])) }
	switch count {
	case 0:
		return sampled(func(x float64) float64 { return x })
	case 1:
		return sampled(func(x float64) float64 { return math.Pow(x, at(0)/256) })
	}
	last := int(count) - 1
	return sampled(func(x float64) float64 {
		i := min(int(x*float64(last)), last-1)
		part := x*float64(last) - float64(i)
		return (at(i)*(1-part) + at(i+1)*part) / math.MaxUint16
	})
}

// parametricCurve reads an exponent, with a linear part near black (ICC.1:2022, 10.18).
func parametricCurve(data []byte) (curve [256]float32, ok bool) {
	if len(data) < 4 {
		return curve, false
	}
	counts := []int{1, 3, 4, 5, 7}
	kind := int(binary.BigEndian.Uint16(data))
	if kind >= len(counts) || len(data) < 4+4*counts[kind] {
		return curve, false
	}
	n := fixed(data[4:], counts[kind])
	n = append(n, make([]float64, 7-len(n))...)
	g, a, b, c, d, e, f := n[0], n[1], n[2], n[3], n[4], n[5], n[6]
	switch kind {
	case 0: // only the exponent
		a, d = 1, math.Inf(-1)
	case 1: // 0 below -b/a
		c, d = 0, -b/a
	case 2: // c below -b/a, and added above it
		c, d, e, f = 0, -b/a, n[3], n[3]
	}
	return sampled(func(x float64) float64 {
		if x < d {
			return c*x + f
		}
		return math.Pow(max(0, a*x+b), g) + e
	})
}

// sampled returns a curve's values. It returns false unless they rise from black to white.
func sampled(of func(float64) float64) (curve [256]float32, ok bool) {
	for i := range curve {
		v := of(float64(i) / 255)
		if math.IsNaN(v) || i > 0 && v < float64(curve[i-1])-0.001 {
			return curve, false
		}
		curve[i] = float32(max(0, min(1, v)))
	}
	return curve, curve[0] < 0.05 && curve[255] > 0.95
}
