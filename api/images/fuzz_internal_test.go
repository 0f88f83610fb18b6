package images

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"secondring/market"
)

// FuzzReencode checks that any file is refused with a message, or a valid JPEG of at most
// maxSide is made of it.
func FuzzReencode(f *testing.F) {
	for _, seed := range smallPictures(f) {
		f.Add(seed)
		f.Add(seed[:len(seed)*2/3])
	}
	f.Add([]byte("\xff\xd8\xff\xc2\x00\x0b\x08\x00\x01\x00\x01\x01\x01\x11\x00"))
	f.Add([]byte("RIFF\x10\x00\x00\x00WEBPVP8L\x04\x00\x00\x00\x2f\x00\x00\x00"))
	h := New(Config{Log: slog.New(slog.DiscardHandler)})
	f.Fuzz(func(t *testing.T, file []byte) { h.wantRefusedOrReencoded(t, file) })
}

// wantRefusedOrReencoded fails the test unless a file is refused with a message, or a valid
// JPEG is made of it.
func (h *Host) wantRefusedOrReencoded(t *testing.T, file []byte) {
	t.Helper()
	encoded, err := h.reencode(t.Context(), bytes.NewReader(file))
	if err != nil {
		if marketErr := (*market.Error)(nil); !errors.As(err, &marketErr) {
			t.Errorf("%d bytes: %v", len(file), err)
		}
		return
	}
	config, err := jpeg.DecodeConfig(bytes.NewReader(encoded.file))
	if err != nil || max(config.Width, config.Height) > maxSide {
		t.Errorf("%d bytes: %+v, %v", len(file), config, err)
	}
}

// A file that is truncated anywhere, or has any byte changed, is refused with a message or
// is a valid image.
func TestTruncatedImages(t *testing.T) {
	h := New(Config{Log: slog.New(slog.DiscardHandler)})
	for _, file := range smallPictures(t) {
		for i := range file {
			h.wantRefusedOrReencoded(t, file[:i])
			changed := bytes.Clone(file)
			changed[i] ^= 0x81
			h.wantRefusedOrReencoded(t, changed)
		}
	}
}

// smallPictures returns one file of each format.
func smallPictures(tb testing.TB) [][]byte {
	tb.Helper()
	picture := image.NewNRGBA(image.Rect(0, 0, 9, 7))
	for i := range picture.Pix {
		picture.Pix[i] = uint8(i * 7)
	}
	palette := image.NewPaletted(image.Rect(0, 0, 9, 7), color.Palette{color.Black, color.Transparent, color.White})
	var first, second, third bytes.Buffer
	if err := errors.Join(jpeg.Encode(&first, picture, nil), png.Encode(&second, picture), png.Encode(&third, palette)); err != nil {
		tb.Fatal(err)
	}
	all := [][]byte{first.Bytes(), second.Bytes(), third.Bytes()}
	for _, name := range []string{"lossless.webp", "lossy.webp"} {
		file, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, file)
	}
	return all
}
