package images

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"log/slog"
	"math"
	"testing"

	encoder "github.com/deepteams/webp"
)

// A colour space by its published primaries: their chromaticity x, y, and that of its white (D65), and
// the matrix from its linear values to linear sRGB.
type space struct {
	primaries [3][2]float64
	encoded   func(float64) float64
	trc       []byte
	toSRGB    matrix
}

var (
	srgbCurve = parameters(3, 2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045)
	displayP3 = space{
		primaries: [3][2]float64{{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}}, trc: srgbCurve, encoded: encodeSRGB,
		toSRGB: matrix{{1.2249, -0.2247, 0}, {-0.0420, 1.0419, 0}, {-0.0197, -0.0786, 1.0979}},
	}
	adobe = space{
		primaries: [3][2]float64{{0.64, 0.33}, {0.21, 0.71}, {0.15, 0.06}}, trc: gamma(563),
		encoded: func(v float64) float64 { return math.Pow(v, 256.0/563) },
		toSRGB:  matrix{{1.39836, -0.39836, 0}, {0, 1, 0}, {0, -0.04293, 1.04293}},
	}
	standard = space{
		primaries: [3][2]float64{{0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}}, trc: srgbCurve, encoded: encodeSRGB,
		toSRGB: matrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	}
)

func encodeSRGB(v float64) float64 {
	if v <= 0.0031308 {
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}

// srgb returns the sRGB value of linear values of the space.
func (s space) srgb(linear [3]float64) color.RGBA {
	var out [3]uint8
	for i, row := range s.toSRGB {
		v := row[0]*linear[0] + row[1]*linear[1] + row[2]*linear[2]
		out[i] = uint8(encodeSRGB(max(0, min(1, v)))*255 + 0.5)
	}
	return color.RGBA{out[0], out[1], out[2], 0xff}
}

// pixel returns how the space encodes linear values.
func (s space) pixel(linear [3]float64) color.RGBA {
	e := func(v float64) uint8 { return uint8(s.encoded(v)*255 + 0.5) }
	return color.RGBA{e(linear[0]), e(linear[1]), e(linear[2]), 0xff}
}

// inverse returns the inverse of a matrix.
func (m matrix) inverse() (out matrix) {
	cofactor := func(i, j int) float64 {
		return m[(i+1)%3][(j+1)%3]*m[(i+2)%3][(j+2)%3] - m[(i+1)%3][(j+2)%3]*m[(i+2)%3][(j+1)%3]
	}
	det := m[0][0]*cofactor(0, 0) + m[0][1]*cofactor(0, 1) + m[0][2]*cofactor(0, 2)
	for i := range 3 {
		for j := range 3 {
			out[j][i] = cofactor(i, j) / det
		}
	}
	return out
}

// icc returns the space's profile, with its primaries adapted to D50 by the method of Bradford.
func (s space) icc() []byte {
	white := [3]float64{0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290}
	var xyz matrix
	for i, p := range s.primaries {
		xyz[0][i], xyz[1][i], xyz[2][i] = p[0]/p[1], 1, (1-p[0]-p[1])/p[1]
	}
	inverse, scaled := xyz.inverse(), xyz
	for i := range 3 {
		scale := inverse[i][0]*white[0] + inverse[i][1]*white[1] + inverse[i][2]*white[2]
		for j := range 3 {
			scaled[j][i] *= scale
		}
	}
	bradford := matrix{{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}
	gains := matrix{}
	for i, row := range bradford {
		from := row[0]*white[0] + row[1]*white[1] + row[2]*white[2]
		to := row[0]*d50[0] + row[1]*d50[1] + row[2]*d50[2]
		gains[i][i] = to / from
	}
	adapted := bradford.inverse().times(gains).times(bradford).times(scaled)
	tags := map[string][]byte{}
	for i, name := range []string{"r", "g", "b"} {
		tags[name+"XYZ"] = append([]byte("XYZ \x00\x00\x00\x00"), numbers(adapted[0][i], adapted[1][i], adapted[2][i])...)
		tags[name+"TRC"] = s.trc
	}
	return iccOf("RGB ", tags)
}

func iccOf(space string, tags map[string][]byte) []byte {
	header := make([]byte, profileHeader)
	copy(header[16:], space+"XYZ ")
	copy(header[36:], "acsp")
	file := bytes.Clone(header)
	file = binary.BigEndian.AppendUint32(file, uint32(len(tags)))
	at, data := len(file)+12*len(tags), []byte{}
	for name, tag := range tags {
		file = append(file, name...)
		file = binary.BigEndian.AppendUint32(file, uint32(at+len(data)))
		file = binary.BigEndian.AppendUint32(file, uint32(len(tag)))
		data = append(data, tag...)
	}
	return append(file, data...)
}

func numbers(all ...float64) (out []byte) {
	for _, v := range all {
		out = binary.BigEndian.AppendUint32(out, uint32(int32(math.Round(v*65536))))
	}
	return out
}

func parameters(kind byte, all ...float64) []byte {
	return append([]byte{'p', 'a', 'r', 'a', 0, 0, 0, 0, 0, kind, 0, 0}, numbers(all...)...)
}

func gamma(of256 uint16) []byte {
	return binary.BigEndian.AppendUint16([]byte("curv\x00\x00\x00\x00\x00\x00\x00\x01"), of256)
}

// table returns a curve as a table of n values.
func table(n int, of func(float64) float64) []byte {
	out := binary.BigEndian.AppendUint32([]byte("curv\x00\x00\x00\x00"), uint32(n))
	for i := range n {
		out = binary.BigEndian.AppendUint16(out, uint16(of(float64(i)/float64(n-1))*65535+0.5))
	}
	return out
}

func plain(c color.Color) *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, 32, 24))
	for y := range 24 {
		for x := range 32 {
			picture.Set(x, y, c)
		}
	}
	return picture
}

func pngWith(tb testing.TB, picture image.Image, chunk string, body []byte) []byte {
	tb.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		tb.Fatal(err)
	}
	if chunk == "" {
		return out.Bytes()
	}
	const afterIHDR = 33
	inserted := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	inserted = append(append(inserted, chunk...), body...)
	inserted = binary.BigEndian.AppendUint32(inserted, crc32.ChecksumIEEE(inserted[4:]))
	return append(bytes.Clone(out.Bytes()[:afterIHDR]), append(inserted, out.Bytes()[afterIHDR:]...)...)
}

func iccChunk(profile []byte) []byte {
	out := bytes.NewBufferString("P3\x00\x00")
	w := zlib.NewWriter(out)
	_, _ = w.Write(profile)
	_ = w.Close()
	return out.Bytes()
}

// jpegWith returns a JPEG with segments after its start.
func jpegWith(tb testing.TB, picture image.Image, segments ...[]byte) []byte {
	tb.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, picture, &jpeg.Options{Quality: 100}); err != nil {
		tb.Fatal(err)
	}
	file := bytes.Clone(out.Bytes()[:2])
	for _, s := range segments {
		file = append(file, s...)
	}
	return append(file, out.Bytes()[2:]...)
}

func segment(marker byte, body []byte) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(body)+2)), body...)
}

// iccSegments returns a profile in pieces, the last one first.
func iccSegments(profile []byte, pieces int) (all [][]byte) {
	size := (len(profile) + pieces - 1) / pieces
	for i := pieces - 1; i >= 0; i-- {
		piece := profile[i*size : min(len(profile), (i+1)*size)]
		all = append(all, segment(markerICC, append([]byte("ICC_PROFILE\x00"+string([]byte{byte(i + 1), byte(pieces)})), piece...)))
	}
	return all
}

// exifColours returns EXIF data with a colour space and a rule of interoperability.
func exifColours(colourSpace uint16, rule string) []byte {
	le := binary.LittleEndian
	ifd := func(entries ...[]byte) []byte {
		out := le.AppendUint16(nil, uint16(len(entries)))
		for _, e := range entries {
			out = append(out, e...)
		}
		return append(out, 0, 0, 0, 0)
	}
	entry := func(tag, kind uint16, count, value uint32) []byte {
		return le.AppendUint32(le.AppendUint32(le.AppendUint16(le.AppendUint16(nil, tag), kind), count), value)
	}
	const first, exif, interop = 8, 8 + 18, 8 + 18 + 30
	text := append([]byte(rule), 0, 0, 0, 0)
	out := append([]byte("II*\x00\x08\x00\x00\x00"), ifd(entry(tagExif, 4, 1, exif))...)
	out = append(out, ifd(entry(tagColorSpace, 3, 1, uint32(colourSpace)), entry(tagInterop, 4, 1, interop))...)
	return append(out, ifd(entry(tagInteropRule, 2, 4, le.Uint32(text)))...)
}

// wantColour fails the test unless the stored picture has about this colour.
func wantColour(t *testing.T, file []byte, want color.RGBA, tolerance int) {
	t.Helper()
	h := New(Config{Log: slog.New(slog.DiscardHandler)})
	encoded, err := h.reencode(t.Context(), bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	got := encoded.picture.RGBAAt(7, 7)
	if max(distance(got.R, int(want.R)), distance(got.G, int(want.G)), distance(got.B, int(want.B))) > tolerance {
		t.Errorf("the colour is %v, want %v", got, want)
	}
}

var linearColours = [][3]float64{
	{1, 1, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0.5, 0.5}, {0.8, 0.2, 0.1}, {0.1, 0.6, 0.3}, {0.05, 0.1, 0.7}, {0.9, 0.8, 0.1}, {0.02, 0.01, 0.03},
}

// The numbers come from the published primaries: a red of Display P3 beyond sRGB is its red, others become
// more saturated.
func TestColoursBecomeSRGB(t *testing.T) {
	other := withCurve(gamma(1024))
	for name, s := range map[string]space{"Display P3": displayP3, "Adobe RGB": adobe, "sRGB": standard} {
		for _, linear := range linearColours {
			profile, pixel, want := s.icc(), plain(s.pixel(linear)), s.srgb(linear)
			for format, file := range map[string][]byte{
				"PNG":                    pngWith(t, pixel, "iCCP", iccChunk(profile)),
				"JPEG":                   jpegWith(t, pixel, iccSegments(profile, 1)...),
				"JPEG, pieces backwards": jpegWith(t, pixel, iccSegments(profile, 5)...),
				"JPEG, fill bytes":       jpegWith(t, pixel, append([]byte{0xff, 0xff}, iccSegments(profile, 1)[0]...)),
				"JPEG, a piece twice":    jpegWith(t, pixel, append(iccSegments(profile, 1), iccSegments(other, 1)...)...),
				"JPEG, EXIF of sRGB":     jpegWith(t, pixel, append(iccSegments(profile, 1), segment(markerEXIF, append(exifHead, exifColours(1, "R98")...)))...),
			} {
				t.Run(fmt.Sprint(name, " ", format, " ", linear), func(t *testing.T) { wantColour(t, file, want, 3) })
			}
		}
	}
}

func TestColoursOfWebPBecomeSRGB(t *testing.T) {
	for name, s := range map[string]space{"Display P3": displayP3, "Adobe RGB": adobe} {
		for _, linear := range linearColours[:7] {
			var lossy bytes.Buffer
			if err := encoder.Encode(&lossy, plain(s.pixel(linear)), encoder.DefaultOptions()); err != nil {
				t.Fatal(err)
			}
			t.Run(fmt.Sprint(name, linear), func(t *testing.T) {
				want := s.srgb(linear)
				wantColour(t, webpWith(lossy.Bytes(), s.icc()), want, 12) // the encoder is not exact
			})
		}
	}
}

// webpWith returns a WebP of 32 × 24 pixels with a profile.
func webpWith(file, profile []byte) []byte {
	chunk := func(name string, body []byte) []byte {
		out := append(binary.LittleEndian.AppendUint32([]byte(name), uint32(len(body))), body...)
		return append(out, make([]byte, len(body)%2)...)
	}
	const iccBit = 1 << 5
	body := append([]byte("WEBP"), chunk("VP8X", []byte{iccBit, 0, 0, 0, 31, 0, 0, 23, 0, 0})...)
	body = append(append(body, chunk("ICCP", profile)...), file[headBytes:]...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

func TestCurvesOfProfiles(t *testing.T) {
	decodeSRGB := func(v float64) float64 {
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	square := func(v float64) float64 { return v * v }
	root := func(v float64) float64 { return math.Sqrt(v) }
	for name, c := range map[string]struct {
		trc     []byte
		encoded func(float64) float64
	}{
		"table of sRGB": {table(1024, decodeSRGB), encodeSRGB}, "table of three": {table(3, func(v float64) float64 { return v }), func(v float64) float64 { return v }},
		"no change": {[]byte("curv\x00\x00\x00\x00\x00\x00\x00\x00"), func(v float64) float64 { return v }}, "gamma 2": {gamma(512), root},
		"parametric 0": {parameters(0, 2), root}, "parametric 1": {parameters(1, 2, 1, 0), root}, "parametric 2": {parameters(2, 2, 1, 0, 0), root},
		"parametric 4": {parameters(4, 2, 1, 0, 0, 0, 0, 0), root}, "table of squares": {table(256, square), root},
	} {
		t.Run(name, func(t *testing.T) {
			s := displayP3
			s.trc, s.encoded = c.trc, c.encoded
			for _, linear := range linearColours[:10] {
				wantColour(t, pngWith(t, plain(s.pixel(linear)), "iCCP", iccChunk(s.icc())), s.srgb(linear), 2)
			}
			grey := iccOf("GRAY", map[string][]byte{"kTRC": c.trc})
			v := uint8(encodeSRGB(0.4)*255 + 0.5)
			wantColour(t, pngWith(t, plain(color.Gray{uint8(c.encoded(0.4)*255 + 0.5)}), "iCCP", iccChunk(grey)), color.RGBA{v, v, v, 255}, 2)
		})
	}
}

// Cameras write Adobe RGB without a profile.
func TestAdobeRGBByEXIF(t *testing.T) {
	for _, linear := range linearColours {
		pixel := plain(adobe.pixel(linear))
		for name, exif := range map[string][]byte{
			"R03": exifColours(65535, "R03"), "colour space 2": exifColours(2, "R98"), "both": exifColours(2, "R03"),
		} {
			t.Run(fmt.Sprint(name, linear), func(t *testing.T) {
				wantColour(t, jpegWith(t, pixel, segment(markerEXIF, append(exifHead, exif...))), adobe.srgb(linear), 3)
				wantColour(t, pngWith(t, pixel, "eXIf", exif), adobe.srgb(linear), 1)
			})
		}
		wantColour(t, jpegWith(t, pixel, segment(markerEXIF, append(exifHead, exifColours(1, "R98")...))), adobe.pixel(linear), 3)
	}
}

// Without a profile, and with one that is of another kind or broken, the colours stay.
func TestProfileThatCannotBeUsedIsIgnored(t *testing.T) {
	good := displayP3.icc()
	changed := func(change func([]byte)) []byte {
		p := bytes.Clone(good)
		change(p)
		return p
	}
	c := color.RGBA{200, 100, 50, 255}
	for name, chunk := range map[string][]byte{
		"empty":                    iccChunk(nil),
		"not compressed":           append([]byte("P3\x00\x00"), good...),
		"without a name":           good,
		"cut off":                  iccChunk(good[:200]),
		"only a header":            iccChunk(good[:128]),
		"not a profile":            iccChunk(bytes.Repeat([]byte("phone"), 100)),
		"of CMYK":                  iccChunk(changed(func(p []byte) { copy(p[16:], "CMYK") })),
		"of Lab":                   iccChunk(changed(func(p []byte) { copy(p[20:], "Lab ") })),
		"many tags":                iccChunk(changed(func(p []byte) { copy(p[128:], "\xff\xff\xff\xff") })[:140]),
		"tags beyond the end":      iccChunk(changed(func(p []byte) { copy(p[136:], "\xff\xff\xff\xf0") })),
		"lengths beyond the end":   iccChunk(changed(func(p []byte) { copy(p[140:], "\xff\xff\xff\xff") })),
		"black primaries":          iccChunk(iccOf("RGB ", map[string][]byte{"rXYZ": xyzTag(0), "gXYZ": xyzTag(0), "bXYZ": xyzTag(0), "rTRC": gamma(512), "gTRC": gamma(512), "bTRC": gamma(512)})),
		"without curves":           iccChunk(iccOf("RGB ", map[string][]byte{"rXYZ": xyzTag(0.3), "gXYZ": xyzTag(0.3), "bXYZ": xyzTag(0.3)})),
		"with a falling curve":     iccChunk(withCurve(table(16, func(v float64) float64 { return 1 - v }))),
		"with a black curve":       iccChunk(withCurve(table(16, func(float64) float64 { return 0 }))),
		"with a curve of no kind":  iccChunk(withCurve(parameters(9, 1))),
		"with a curve of nothing":  iccChunk(withCurve(parameters(3, 0, 0, 0, 0, 0))),
		"with a curve that is cut": iccChunk(withCurve([]byte("curv\x00\x00\x00\x00\xff\xff\xff\xff\x00"))),
		"a bomb":                   iccChunk(make([]byte, 64<<20)),
	} {
		t.Run(name, func(t *testing.T) { wantColour(t, pngWith(t, plain(c), "iCCP", chunk), c, 0) })
	}
	wantColour(t, pngWith(t, plain(c), "", nil), c, 0)
	wantColour(t, jpegWith(t, plain(c), iccSegments(good, 2)[0]), c, 3) // its first piece is missing
}

func xyzTag(v float64) []byte { return append([]byte("XYZ \x00\x00\x00\x00"), numbers(v, v, v)...) }

func withCurve(trc []byte) []byte {
	s := displayP3
	s.trc = trc
	return s.icc()
}

// FuzzProfile checks that no profile makes a picture fail, or takes long.
func FuzzProfile(f *testing.F) {
	for _, s := range []space{displayP3, adobe, standard} {
		f.Add(s.icc())
	}
	f.Add(iccOf("GRAY", map[string][]byte{"kTRC": table(3, math.Sqrt)}))
	f.Add(withCurve(parameters(4, 2, 1, 0, 0, 0, 0, 0)))
	f.Add(iccSegments(displayP3.icc(), 1)[0])
	f.Fuzz(func(t *testing.T, data []byte) {
		picture := plain(color.RGBA{200, 100, 50, 255})
		if c := coloursOf(fileMetadata{profile: data}); c != nil {
			c.convert(picture)
		}
		_ = coloursOf(fileMetadata{exif: data})
		_ = inflated(data)
		_ = jpegMetadata(bytes.NewReader(append([]byte("\xff\xd8"), data...)))
		_ = webpMetadata(bytes.NewReader(append([]byte("RIFF0000WEBP"), data...)))
	})
}
