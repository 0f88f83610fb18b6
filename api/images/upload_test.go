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
			wantSize(t, got, 64, 48)
			wantQuarters(t, got, red, green, blue, white) // transparent pixels are white
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
		wantSize(t, got, 20, 10)
		if name == "16 bits" {
			wantQuarters(t, got, white, white, white, white)
		}
	}
}

func TestLargeImagesAreScaledDown(t *testing.T) {
	e := newEnv(t)
	for _, c := range [][4]int{ // the size of the file and of the stored image
		{3200, 240, 1600, 120},
		{100, 2000, 80, 1600},
		{1601, 1, 1600, 1},
		{1600, 90, 1600, 90},
		{1, 1, 1, 1},
		{3333, 60, 1600, 28},
		{4801, 3, 1600, 1},
		{3, 4801, 1, 1600},
		{60, 4999, 19, 1600},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			_, got := e.picture(pngOf(t, quarters(c[0], c[1])))
			wantSize(t, got, c[2], c[3])
			if min(c[2], c[3]) > 1 {
				wantQuarters(t, got, red, green, blue, white)
			}
		})
	}
}

func TestEXIFOrientationIsAppliedAndMetadataRemoved(t *testing.T) {
	e := newEnv(t)
	quarters := quarters(64, 48)
	for orientation, want := range map[uint16][4]color.RGBA{
		0: {red, green, blue, white}, 1: {red, green, blue, white}, 9: {red, green, blue, white},
		2: {green, red, white, blue}, 3: {white, blue, green, red}, 4: {blue, white, red, green},
		5: {red, blue, green, white}, 6: {blue, red, white, green}, 7: {white, green, blue, red}, 8: {green, white, red, blue},
	} {
		little, big := exif(binary.LittleEndian, orientation), exif(binary.BigEndian, orientation)
		for name, file := range map[string][]byte{
			"JPEG":            withEXIF(jpegOf(t, quarters), little),
			"JPEG big endian": withEXIF(jpegOf(t, quarters), big),
			"PNG":             withChunk(pngOf(t, quarters), "eXIf", big),
		} {
			t.Run(fmt.Sprintf("%s %d", name, orientation), func(t *testing.T) {
				if !bytes.Contains(file, []byte(location)) {
					t.Fatal("the uploaded file has no location")
				}
				stored, got := e.picture(file)
				if orientation >= 5 && orientation <= 8 {
					wantSize(t, got, 48, 64)
				} else {
					wantSize(t, got, 64, 48)
				}
				wantQuarters(t, got, want[:]...)
				wantNoMetadata(t, stored)
			})
		}
	}
	_, got := e.picture(testdata(t, "turned.webp"))
	wantSize(t, got, 48, 64)
	wantQuarters(t, got, blue, red, white, green)
}

// wantNoMetadata fails the test unless the JPEG has only pixels and no metadata.
func wantNoMetadata(t *testing.T, file []byte) {
	t.Helper()
	for _, m := range markers(t, file) {
		if (m >= 0xe0 && m <= 0xef) || m == 0xfe {
			t.Errorf("segment %#x is stored", m)
		}
	}
	if bytes.Contains(file, []byte(location)) {
		t.Error("the location is stored")
	}
}

func TestInvalidEXIFIsIgnored(t *testing.T) {
	e := newEnv(t)
	valid := exif(binary.LittleEndian, 6)
	farOffset := append([]byte{}, valid...)
	binary.LittleEndian.PutUint32(farOffset[4:], 1<<31)
	manyEntries := append([]byte{}, valid[:10]...)
	binary.LittleEndian.PutUint16(manyEntries[8:], 65535)
	for name, tiff := range map[string][]byte{
		"empty": {}, "short": valid[:5], "no directory": valid[:8], "cut": valid[:14], "far offset": farOffset, "many entries": manyEntries, "other": []byte("what is this?"),
	} {
		t.Run(name, func(t *testing.T) {
			_, got := e.picture(withEXIF(jpegOf(t, quarters(64, 48)), tiff))
			wantQuarters(t, got, red, green, blue, white)
		})
	}
}

func TestTrailingDataIsDropped(t *testing.T) {
	e := newEnv(t)
	script := []byte("<script>alert(document.cookie)</script>")
	plain, _ := e.picture(jpegOf(t, quarters(64, 48)))
	for name, file := range map[string][]byte{
		"HTML after a JPEG":    append(jpegOf(t, quarters(64, 48)), script...),
		"archive after a PNG":  append(pngOf(t, quarters(64, 48)), append([]byte("PK\x03\x04"), script...)...),
		"HTML in a PNG's text": withChunk(pngOf(t, quarters(64, 48)), "tEXt", append([]byte("Comment\x00"), script...)),
	} {
		t.Run(name, func(t *testing.T) {
			stored, _ := e.picture(file)
			wantNoMetadata(t, stored)
			if bytes.Contains(stored, script) || len(stored) > len(plain)+200 {
				t.Errorf("%d bytes are stored, without the data %d", len(stored), len(plain))
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
	jpegFile, pngFile, webpFile := jpegOf(t, quarters(640, 480)), pngOf(t, quarters(640, 480)), testdata(t, "lossy.webp")
	for name, c := range map[string]struct {
		file    []byte
		status  int
		message string
	}{
		"empty":                 {nil, 415, kind},
		"a few bytes":           {[]byte("\xff\xd8"), 415, kind},
		"GIF":                   {gifOf(t, quarters(8, 8)), 415, kind},
		"SVG":                   {[]byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`), 415, kind},
		"HTML":                  {[]byte("<!doctype html><script>alert(1)</script>"), 415, kind},
		"GIF with JPEG bytes":   {[]byte("GIF89a/*\xff\xd8\xff"), 415, kind},
		"other RIFF":            {[]byte("RIFF\x10\x00\x00\x00WAVEfmt "), 415, kind},
		"only a header":         {[]byte("\xff\xd8\xff\xe0\x00\x10JFIF"), 422, broken},
		"half a JPEG":           {jpegFile[:len(jpegFile)/2], 422, broken},
		"half a PNG":            {pngFile[:len(pngFile)/2], 422, broken},
		"half a WebP":           {webpFile[:len(webpFile)/2], 422, broken},
		"30000 by 30000":        {pngClaiming(30000, 30000), 422, pixels},
		"2^31 by 2^31":          {pngClaiming(1<<31-1, 1<<31-1), 422, broken},
		"more than 40 million":  {pngClaiming(8000, 5001), 422, pixels},
		"40 million, truncated": {pngClaiming(8000, 5000), 422, broken},
		"no width":              {pngClaiming(0, 10), 422, broken},
	} {
		t.Run(name, func(t *testing.T) { e.upload(c.file).wantError(c.status, c.message) })
	}
	files, err := os.ReadDir(e.folder)
	must(t, err)
	if len(files) != 0 {
		t.Errorf("refused uploads have stored %d files", len(files))
	}
}

func TestFormRefusals(t *testing.T) {
	e := newEnv(t)
	photo := jpegOf(t, quarters(64, 48))
	one := part{"image", "a.jpg", photo}
	e.send(one, one).wantError(422, "Send one image at a time")
	e.send(part{"photo", "a.jpg", photo}).wantError(422, "Send the image in the field image")
	e.send().wantError(422, "Send the image in the field image")
	e.post(strings.NewReader(`{"image":""}`), "application/json").wantError(400, "Send the image as multipart/form-data, in the field image")
	e.post(bytes.NewReader(photo), "image/jpeg").wantError(400, "Send the image as multipart/form-data, in the field image")
	e.post(bytes.NewReader(photo), "multipart/form-data").wantError(400, "Send the image as multipart/form-data, in the field image")
	body, contentType := form(t, one)
	e.post(bytes.NewReader(body.Bytes()[:body.Len()/2]), contentType).wantError(400, "The upload was interrupted. Please try again.")
}

func TestFileSizeIsLimited(t *testing.T) {
	e := newEnv(t)
	const message = "The image is larger than 10 MB"
	large := append(jpegOf(t, quarters(64, 48)), make([]byte, 10<<20)...)
	body, contentType := form(t, part{"image", "a.jpg", large})
	noLength := func(r *http.Request) { r.ContentLength = -1 }
	e.post(bytes.NewReader(body.Bytes()), contentType, noLength).wantError(413, message)
	body, contentType = form(t, part{"other", "a", make([]byte, 11<<20)}, part{"image", "a.jpg", large[:1000]})
	e.post(bytes.NewReader(body.Bytes()), contentType, noLength).wantError(413, message)

	largest := append(jpegOf(t, quarters(64, 48)), make([]byte, 10<<20)...)[:10<<20]
	e.upload(largest).url()
}

func TestOnlySellersMayUpload(t *testing.T) {
	e := newEnv(t)
	body, contentType := form(t, part{"image", "a.jpg", jpegOf(t, quarters(64, 48))})
	uploadAs := func(uid string) response {
		return e.post(bytes.NewReader(body.Bytes()), contentType, func(r *http.Request) { r.Header.Set("Test-Bearer", uid) })
	}
	uploadAs(seller.UID).url()
	uploadAs("").wantError(401, "Please log in first")
	for _, other := range []string{buyer.UID, admin.UID, removed.UID} {
		uploadAs(other).wantError(403, "Only a seller may upload images")
	}
}

func TestNameIsHashOfContent(t *testing.T) {
	e := newEnv(t)
	photo := jpegOf(t, quarters(64, 48))
	first := e.upload(photo).url()
	sum := sha256.Sum256(e.get(first).Body)
	if want := "/images/" + hex.EncodeToString(sum[:]) + ".jpg"; first != want {
		t.Errorf("url %s, want %s", first, want)
	}
	for _, name := range []string{"../../etc/passwd", `..\..\boot.ini`, "/etc/passwd", "x.html", strings.Repeat("n", 5000)} {
		if got := e.send(part{"image", name, photo}).url(); got != first {
			t.Errorf("the upload with the file name %q has the URL %s, want %s", name, got, first)
		}
	}
	files, err := os.ReadDir(e.folder)
	must(t, err)
	if len(files) != 1 || "/images/"+files[0].Name() != first {
		t.Errorf("the folder contains %v", files)
	}
}

func TestUploadsLeaveNoTemporaryFiles(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	e := newEnv(t)
	e.upload(jpegOf(t, quarters(64, 48))).url()
	e.upload([]byte("no picture")).wantError(415, "The image is not a JPEG, PNG or WebP")
	files, err := os.ReadDir(os.Getenv("TMPDIR"))
	must(t, err)
	if len(files) != 0 {
		t.Errorf("temporary files: %v", files)
	}
}

func TestConcurrentLargeUploads(t *testing.T) {
	const uploads = 4 // as many as one person may send at once
	e := newEnv(t)
	body, contentType := form(t, part{"image", "a.png", pngOf(t, image.NewGray(image.Rect(0, 0, 60, 100_000)))})
	results := make(chan error)
	for range uploads {
		go func() {
			r, err := http.NewRequestWithContext(t.Context(), "POST", e.server.URL+"/images", bytes.NewReader(body.Bytes()))
			if err != nil {
				results <- err
				return
			}
			r.Header.Set("Content-Type", contentType)
			r.Header.Set("Test-Bearer", seller.UID)
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				results <- err
				return
			}
			if res.StatusCode != http.StatusOK {
				err = errors.New(res.Status)
			}
			results <- errors.Join(err, res.Body.Close())
		}()
	}
	for range uploads {
		must(t, <-results)
	}
}
