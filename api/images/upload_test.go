package images_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/color"
	"net/http"
	"os"
	"strings"
	"testing"
)

func TestEveryFormatIsStoredAsJPEG(t *testing.T) {
	e := newEnv(t)
	for name, file := range map[string][]byte{
		"JPEG":          jpegOf(t, quarters(64, 48)),
		"PNG":           pngOf(t, quarters(64, 48)),
		"lossy WebP":    testdata(t, "lossy.webp"),
		"lossless WebP": testdata(t, "lossless.webp"),
	} {
		t.Run(name, func(t *testing.T) {
			_, got := e.picture(file)
			sized(t, got, 64, 48)
			shows(t, got, red, green, blue, white) // transparent pixels are white
		})
	}
}

func TestUnusualPixelFormats(t *testing.T) {
	e := newEnv(t)
	grey := image.NewGray(image.Rect(0, 0, 20, 10))
	deep := image.NewNRGBA64(image.Rect(0, 0, 20, 10))
	few := image.NewPaletted(image.Rect(0, 0, 20, 10), color.Palette{color.Black, color.Transparent})
	few.SetColorIndex(5, 2, 1)
	for name, img := range map[string]image.Image{"grey": grey, "16 bits": deep, "palette": few} {
		_, got := e.picture(pngOf(t, img))
		sized(t, got, 20, 10)
		if name == "16 bits" {
			shows(t, got, white, white, white, white)
		}
	}
}

func TestLargeImagesAreScaledDown(t *testing.T) {
	e := newEnv(t)
	for _, c := range [][4]int{{3200, 240, 1600, 120}, {100, 2000, 80, 1600}, {1601, 1, 1600, 1}, {1600, 90, 1600, 90}, {1, 1, 1, 1}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			_, got := e.picture(pngOf(t, quarters(c[0], c[1])))
			sized(t, got, c[2], c[3])
			if c[3] > 1 {
				shows(t, got, red, green, blue, white)
			}
		})
	}
}

func TestEXIFOrientationIsAppliedAndMetadataRemoved(t *testing.T) {
	e := newEnv(t)
	quarters := quarters(64, 48)
	for turn, want := range map[uint16][4]color.RGBA{
		0: {red, green, blue, white}, 1: {red, green, blue, white}, 9: {red, green, blue, white},
		2: {green, red, white, blue}, 3: {white, blue, green, red}, 4: {blue, white, red, green},
		5: {red, blue, green, white}, 6: {blue, red, white, green}, 7: {white, green, blue, red}, 8: {green, white, red, blue},
	} {
		little, big := exif(binary.LittleEndian, turn), exif(binary.BigEndian, turn)
		for name, file := range map[string][]byte{
			"JPEG":            withEXIF(jpegOf(t, quarters), little),
			"JPEG big endian": withEXIF(jpegOf(t, quarters), big),
			"PNG":             withChunk(pngOf(t, quarters), "eXIf", big),
		} {
			t.Run(fmt.Sprintf("%s %d", name, turn), func(t *testing.T) {
				if !bytes.Contains(file, []byte(where)) {
					t.Fatal("the file names no place to begin with")
				}
				kept, got := e.picture(file)
				if turn >= 5 && turn <= 8 {
					sized(t, got, 48, 64)
				} else {
					sized(t, got, 64, 48)
				}
				shows(t, got, want[:]...)
				wantNoMetadata(t, kept)
			})
		}
	}
	_, got := e.picture(testdata(t, "turned.webp"))
	sized(t, got, 48, 64)
	shows(t, got, blue, red, white, green)
}

// wantNoMetadata fails the test unless the JPEG has only pixels and no metadata.
func wantNoMetadata(t *testing.T, file []byte) {
	t.Helper()
	for _, m := range markers(t, file) {
		if (m >= 0xe0 && m <= 0xef) || m == 0xfe {
			t.Errorf("segment %#x is kept", m)
		}
	}
	if bytes.Contains(file, []byte(where)) {
		t.Error("the place is kept")
	}
}

func TestInvalidEXIFIsIgnored(t *testing.T) {
	e := newEnv(t)
	whole := exif(binary.LittleEndian, 6)
	far := append([]byte{}, whole...)
	binary.LittleEndian.PutUint32(far[4:], 1<<31)
	many := append([]byte{}, whole[:10]...)
	binary.LittleEndian.PutUint16(many[8:], 65535)
	for name, tiff := range map[string][]byte{
		"empty": {}, "short": whole[:5], "no directory": whole[:8], "cut": whole[:14], "far": far, "many": many, "other": []byte("what is this?"),
	} {
		t.Run(name, func(t *testing.T) {
			_, got := e.picture(withEXIF(jpegOf(t, quarters(64, 48)), tiff))
			shows(t, got, red, green, blue, white)
		})
	}
}

func TestTrailingDataIsDropped(t *testing.T) {
	e := newEnv(t)
	script := []byte("<script>alert(document.cookie)</script>")
	plain, _ := e.picture(jpegOf(t, quarters(64, 48)))
	for name, file := range map[string][]byte{
		"page behind a JPEG":   append(jpegOf(t, quarters(64, 48)), script...),
		"archive behind a PNG": append(pngOf(t, quarters(64, 48)), append([]byte("PK\x03\x04"), script...)...),
		"page in a PNG's text": withChunk(pngOf(t, quarters(64, 48)), "tEXt", append([]byte("Comment\x00"), script...)),
	} {
		t.Run(name, func(t *testing.T) {
			kept, _ := e.picture(file)
			wantNoMetadata(t, kept)
			if bytes.Contains(kept, script) || len(kept) > len(plain)+200 {
				t.Errorf("%d bytes are kept", len(kept))
			}
		})
	}
}

func TestFileRefusals(t *testing.T) {
	e := newEnv(t)
	const (
		kind   = "The image is not a JPEG, PNG or WebP"
		broken = "The image is damaged and cannot be read"
		pixels = "The image has more than 40 megapixels"
	)
	photo, drawing, lossy := jpegOf(t, quarters(640, 480)), pngOf(t, quarters(640, 480)), testdata(t, "lossy.webp")
	for name, c := range map[string]struct {
		file    []byte
		status  int
		message string
	}{
		"empty":                 {nil, 415, kind},
		"a few bytes":           {[]byte("\xff\xd8"), 415, kind},
		"GIF":                   {gifOf(t, quarters(8, 8)), 415, kind},
		"SVG":                   {[]byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`), 415, kind},
		"page":                  {[]byte("<!doctype html><script>alert(1)</script>"), 415, kind},
		"GIF that begins so":    {[]byte("GIF89a/*\xff\xd8\xff"), 415, kind},
		"other RIFF":            {[]byte("RIFF\x10\x00\x00\x00WAVEfmt "), 415, kind},
		"nothing but a head":    {[]byte("\xff\xd8\xff\xe0\x00\x10JFIF"), 422, broken},
		"half a JPEG":           {photo[:len(photo)/2], 422, broken},
		"half a PNG":            {drawing[:len(drawing)/2], 422, broken},
		"half a WebP":           {lossy[:len(lossy)/2], 422, broken},
		"30000 by 30000":        {pngClaiming(30000, 30000), 422, pixels},
		"2^31 by 2^31":          {pngClaiming(1<<31-1, 1<<31-1), 422, broken},
		"more than 40 million":  {pngClaiming(8000, 5001), 422, pixels},
		"40 million and no end": {pngClaiming(8000, 5000), 422, broken},
		"no width":              {pngClaiming(0, 10), 422, broken},
	} {
		t.Run(name, func(t *testing.T) { e.upload(c.file).refused(c.status, c.message) })
	}
	files, err := os.ReadDir(e.folder)
	must(t, err)
	if len(files) != 0 {
		t.Errorf("%d files were kept", len(files))
	}
}

func TestFormRefusals(t *testing.T) {
	e := newEnv(t)
	photo := jpegOf(t, quarters(64, 48))
	one := part{"image", "a.jpg", photo}
	e.send(one, one).refused(422, "Send one image at a time")
	e.send(part{"photo", "a.jpg", photo}).refused(422, "Send the image in the field image")
	e.send().refused(422, "Send the image in the field image")
	e.post(strings.NewReader(`{"image":""}`), "application/json").refused(400, "Send the image as multipart/form-data, in the field image")
	e.post(bytes.NewReader(photo), "image/jpeg").refused(400, "Send the image as multipart/form-data, in the field image")
	e.post(bytes.NewReader(photo), "multipart/form-data").refused(400, "Send the image as multipart/form-data, in the field image")
	body, contentType := form(t, one)
	e.post(bytes.NewReader(body.Bytes()[:body.Len()/2]), contentType).refused(400, "The upload was interrupted. Please try again.")
}

func TestFileSizeIsLimited(t *testing.T) {
	e := newEnv(t)
	const message = "The image is larger than 10 MB"
	large := append(jpegOf(t, quarters(64, 48)), make([]byte, 10<<20)...)
	body, contentType := form(t, part{"image", "a.jpg", large})
	unsized := func(r *http.Request) { r.ContentLength = -1 }
	e.post(bytes.NewReader(body.Bytes()), contentType, unsized).refused(413, message)
	body, contentType = form(t, part{"other", "a", make([]byte, 11<<20)}, part{"image", "a.jpg", large[:1000]})
	e.post(bytes.NewReader(body.Bytes()), contentType, unsized).refused(413, message)

	just := append(jpegOf(t, quarters(64, 48)), make([]byte, 10<<20)...)[:10<<20]
	e.upload(just).url()
}

func TestOnlySellersMayUpload(t *testing.T) {
	e := newEnv(t)
	body, contentType := form(t, part{"image", "a.jpg", jpegOf(t, quarters(64, 48))})
	as := func(uid string) answer {
		return e.post(bytes.NewReader(body.Bytes()), contentType, func(r *http.Request) { r.Header.Set("Test-Bearer", uid) })
	}
	as(seller.UID).url()
	as("").refused(401, "Please log in first")
	for _, other := range []string{buyer.UID, admin.UID, gone.UID} {
		as(other).refused(403, "Only a seller may upload images")
	}
}

func TestNameIsHashOfContent(t *testing.T) {
	e := newEnv(t)
	photo := jpegOf(t, quarters(64, 48))
	first := e.upload(photo).url()
	kept := e.get(first).Body
	sum := sha256.Sum256(kept)
	if want := "/images/" + hex.EncodeToString(sum[:]) + ".jpg"; first != want {
		t.Errorf("url %s, want %s", first, want)
	}
	for _, name := range []string{"../../etc/passwd", `..\..\boot.ini`, "/etc/passwd", "x.html", strings.Repeat("n", 5000)} {
		if again := e.send(part{"image", name, photo}).url(); again != first {
			t.Errorf("as %q it is kept at %s", name, again)
		}
	}
	files, err := os.ReadDir(e.folder)
	must(t, err)
	if len(files) != 1 || "/images/"+files[0].Name() != first {
		t.Errorf("the folder holds %v", files)
	}
}

func TestUploadsLeaveNoTemporaryFiles(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	e := newEnv(t)
	e.upload(jpegOf(t, quarters(64, 48))).url()
	e.upload([]byte("no picture")).refused(415, "The image is not a JPEG, PNG or WebP")
	files, err := os.ReadDir(os.Getenv("TMPDIR"))
	must(t, err)
	if len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
}

func TestConcurrentLargeUploads(t *testing.T) {
	const uploads = 4 // as many as one person may send at once
	e := newEnv(t)
	body, contentType := form(t, part{"image", "a.png", pngOf(t, image.NewGray(image.Rect(0, 0, 60, 100_000)))})
	failed := make(chan error)
	for range uploads {
		go func() {
			r, err := http.NewRequestWithContext(t.Context(), "POST", e.server.URL+"/images", bytes.NewReader(body.Bytes()))
			if err != nil {
				failed <- err
				return
			}
			r.Header.Set("Content-Type", contentType)
			r.Header.Set("Test-Bearer", seller.UID)
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				failed <- err
				return
			}
			if res.StatusCode != http.StatusOK {
				err = errors.New(res.Status)
			}
			failed <- errors.Join(err, res.Body.Close())
		}()
	}
	for range uploads {
		must(t, <-failed)
	}
}
