package images_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"slices"
	"testing"
)

func pngOf(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	must(t, png.Encode(&b, img))
	return b.Bytes()
}

func gifOf(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	must(t, gif.Encode(&b, img, nil))
	return b.Bytes()
}

func jpegOf(t *testing.T, img image.Image) []byte {
	t.Helper()
	flat := image.NewRGBA(img.Bounds())
	draw.Draw(flat, flat.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(flat, flat.Bounds(), img, image.Point{}, draw.Over)
	var b bytes.Buffer
	must(t, jpeg.Encode(&b, flat, &jpeg.Options{Quality: 95}))
	return b.Bytes()
}

// location is a location as a phone writes it into its photos. It must not be stored.
const location = "52.5200N 13.4050E"

// exif returns a TIFF directory with an orientation, a text with a location, and a GPS
// directory.
func exif(order binary.AppendByteOrder, orientation uint16) []byte {
	var b []byte
	short, long := func(v uint16) { b = order.AppendUint16(b, v) }, func(v uint32) { b = order.AppendUint32(b, v) }
	entry := func(tag, kind uint16, count, value uint32) { short(tag); short(kind); long(count); long(value) }
	b = append(b, map[bool]string{true: "II", false: "MM"}[order == binary.AppendByteOrder(binary.LittleEndian)]...)
	short(42)
	long(8)
	const textAt, gpsAt = 8 + 2 + 3*12 + 4, 8 + 2 + 3*12 + 4 + 18
	short(3)
	entry(0x010e, 2, uint32(len(location)+1), textAt) // ImageDescription
	short(0x0112)                                     // Orientation: one SHORT at the start of the value
	short(3)
	long(1)
	short(orientation)
	short(0)
	entry(0x8825, 4, 1, gpsAt) // GPSInfo
	long(0)
	b = append(b, location+"\x00"...)
	short(1)
	entry(1, 2, 2, 'N') // GPSLatitudeRef
	long(0)
	return b
}

// segment returns a segment of a JPEG.
func segment(marker byte, body ...byte) []byte {
	out := binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(body)+2))
	return append(out, body...)
}

// withEXIF inserts an APP1 segment into a JPEG.
func withEXIF(file, tiff []byte) []byte {
	app1 := segment(0xe1, append([]byte("Exif\x00\x00"), tiff...)...)
	return slices.Concat(file[:2], app1, file[2:])
}

// chunk returns a chunk of a PNG.
func chunk(name string, body []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	out = append(append(out, name...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

// withChunk inserts a chunk after a PNG's header.
func withChunk(file []byte, name string, body []byte) []byte {
	const header = 8 + 25
	return slices.Concat(file[:header], chunk(name, body), file[header:])
}

// pngClaiming returns a PNG with this size in its header and without pixels.
func pngClaiming(w, h uint32) []byte {
	body := binary.BigEndian.AppendUint32(nil, w)
	body = binary.BigEndian.AppendUint32(body, h)
	body = append(body, 8, 6, 0, 0, 0)
	return append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", body)...)
}

// markers returns a JPEG's markers up to the pixels.
func markers(t *testing.T, file []byte) []byte {
	t.Helper()
	var found []byte
	for i := 2; ; {
		if i+4 > len(file) || file[i] != 0xff {
			t.Fatalf("no segment at %d of a JPEG", i)
		}
		found = append(found, file[i+1])
		if file[i+1] == 0xda {
			return found
		}
		i += 2 + int(binary.BigEndian.Uint16(file[i+2:]))
	}
}
