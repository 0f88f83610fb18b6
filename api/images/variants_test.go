package images_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepteams/webp"
	"github.com/google/go-cmp/cmp"

	"secondring/api/images"
	"secondring/market"
)

// data fails the test unless the upload succeeded, and returns its data.
func (a response) data() images.Data {
	a.t.Helper()
	a.url()
	var got images.Uploaded
	must(a.t, json.Unmarshal(a.Body, &got))
	return got.Data
}

// variants returns the entries of a srcset: the URLs by their widths.
func variants(d images.Data) map[string]string {
	all := map[string]string{}
	for choice := range strings.SplitSeq(d.Srcset, ", ") {
		url, width, _ := strings.Cut(choice, " ")
		all[width] = url
	}
	return all
}

func TestVariantsAreNotWiderThanOriginal(t *testing.T) {
	e := newEnv(t)
	for _, c := range []struct {
		width, height int
		want          string
	}{
		{3200, 24, "160w 320w 640w 1280w 1600w"},
		{1280, 20, "160w 320w 640w 1280w"},
		{1279, 20, "160w 320w 640w 1279w"},
		{300, 2000, "160w 240w"}, // stored as 240 by 1600
		{160, 160, "160w"},
		{159, 100, ""},
		{1, 1, ""},
	} {
		t.Run(fmt.Sprintf("%d by %d", c.width, c.height), func(t *testing.T) {
			got := e.upload(pngOf(t, quarters(c.width, c.height))).data()
			var widths []string
			for choice := range strings.SplitSeq(got.Srcset, ", ") {
				_, width, _ := strings.Cut(choice, " ")
				widths = append(widths, width)
			}
			if joined := strings.Join(widths, " "); joined != c.want {
				t.Errorf("the srcset %s has the widths %q, want %q", got.Srcset, joined, c.want)
			}
		})
	}
}

func TestVariantsResembleOriginal(t *testing.T) {
	e := newEnv(t)
	got := e.upload(pngOf(t, quarters(1600, 160))).data()
	if got.Width != 1600 || got.Height != 160 {
		t.Errorf("the response has the size %d by %d", got.Width, got.Height)
	}
	all := variants(got)
	if all["1600w"] != got.URL {
		t.Errorf("the original is not the widest: %v", all)
	}
	before := len(e.get(got.URL).Body)
	for _, width := range []int{1280, 640, 320, 160} {
		a := e.get(all[fmt.Sprintf("%dw", width)])
		if a.Status != 200 || a.Header.Get("Content-Type") != "image/webp" || len(a.Body) >= before {
			t.Fatalf("%d wide: %d, %s, %d bytes after %d", width, a.Status, a.Header.Get("Content-Type"), len(a.Body), before)
		}
		before = len(a.Body)
		picture, err := webp.Decode(bytes.NewReader(a.Body))
		must(t, err)
		wantSize(t, picture, width, width/10)
		wantQuarters(t, picture, red, green, blue, white)
	}
}

func TestPlaceholderResemblesOriginal(t *testing.T) {
	e := newEnv(t)
	for _, size := range [][2]int{{160, 120}, {90, 120}, {1600, 1}, {1, 1}} {
		got := e.upload(pngOf(t, quarters(size[0], size[1]))).data()
		raw, found := strings.CutPrefix(got.Blur, "data:image/webp;base64,")
		file, err := base64.StdEncoding.DecodeString(raw)
		if !found || err != nil || len(file) > 200 {
			t.Fatalf("%v: %d bytes: %s", size, len(file), got.Blur)
		}
		picture, err := webp.Decode(bytes.NewReader(file))
		must(t, err)
		if bounds := picture.Bounds(); bounds.Dx() > 12 || bounds.Dy() > 12 {
			t.Errorf("%v: the placeholder is %v", size, bounds)
		}
		if size[0] > 1 && size[1] > 1 {
			r, _, b, _ := picture.At(1, 1).RGBA()
			if r>>8 < 200 || b>>8 > 60 {
				t.Errorf("the corner of the placeholder is %v, want red", picture.At(1, 1))
			}
		}
	}
}

func TestVariantsAreServedImmutable(t *testing.T) {
	e := newEnv(t)
	got := e.upload(jpegOf(t, quarters(640, 48))).data()
	url := variants(got)["320w"]
	h := e.get(url).Header
	if h.Get("Cache-Control") != "public, max-age=31536000, immutable" || h.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("headers %v", h)
	}
	if tag := `"` + strings.TrimPrefix(url, origin+"/images/") + `"`; h.Get("ETag") != tag {
		t.Errorf("ETag %s, want %s", h.Get("ETag"), tag)
	}
	must(t, os.WriteFile(filepath.Join(e.folder, "note-320.webp"), []byte("note"), 0o600))
	for _, other := range []string{
		strings.Replace(url, "-320", "-321", 1), strings.Replace(url, "-320", "-0320", 1),
		strings.Replace(url, "-320", "-32000", 1), strings.Replace(url, "-320", "", 1),
		strings.Replace(url, ".webp", ".jpg", 1), "/images/note-320.webp",
	} {
		if a := e.get(other); a.Status != 404 {
			t.Errorf("%s: the response is %d, want 404", other, a.Status)
		}
	}
}

func TestPictureMetadataIsStored(t *testing.T) {
	e := newEnv(t)
	photo := jpegOf(t, quarters(700, 50))
	got := e.upload(photo).data()
	other := e.node() // has the same store and folder
	metadata, err := other.Metadata(t.Context(), got.URL)
	must(t, err)
	want := market.Picture{Width: 700, Height: 50, Blur: got.Blur, Widths: []int{160, 320, 640}}
	if d := cmp.Diff(want, metadata); d != "" || metadata.Srcset(got.URL) != got.Srcset {
		t.Errorf("%s, srcset %s", d, got.Srcset)
	}
	for _, url := range []string{
		"", "/images/", "https://i.example" + got.URL, variants(got)["160w"],
		"/photos" + strings.TrimPrefix(got.URL, "/images"), got.URL + "?a",
	} {
		if _, err := other.Metadata(t.Context(), url); !errors.Is(err, market.ErrNotFound) {
			t.Errorf("Metadata(%q): %v, want not found", url, err)
		}
	}
	if _, err := other.Metadata(t.Context(), "/images/"+strings.Repeat("0", 64)+".jpg"); !errors.Is(err, market.ErrPictureGone) {
		t.Errorf("an unknown picture: %v", err)
	}
}

func TestOldPictureGetsVariants(t *testing.T) {
	e := newEnv(t)
	photo := jpegOf(t, quarters(640, 48))
	first := e.upload(photo).data()
	for missing, remove := range map[string]func(){
		"record": func() { e.store.reset() },
		"folder": func() { must(t, os.RemoveAll(e.folder)); must(t, os.Mkdir(e.folder, 0o700)) },
	} {
		remove()
		if d := cmp.Diff(first, e.upload(photo).data()); d != "" {
			t.Errorf("without its %s: %s", missing, d)
		}
		if a := e.get(variants(first)["320w"]); a.Status != 200 {
			t.Errorf("without its %s the variant has status %d", missing, a.Status)
		}
	}
}

// Lossy WebP has a narrower range of values; black and white are its limits.
func TestLossyWebPKeepsColourRange(t *testing.T) {
	e := newEnv(t)
	img := image.NewRGBA(image.Rect(0, 0, 64, 32))
	for i := range 64 * 32 {
		img.Set(i%64, i/64, []color.RGBA{{0, 0, 0, 255}, {255, 255, 255, 255}}[i%64/32])
	}
	var file bytes.Buffer
	options := webp.DefaultOptions()
	options.Method = 4
	must(t, webp.Encode(&file, img, options))
	_, got := e.picture(file.Bytes())
	dark, _, _, _ := got.At(8, 16).RGBA()
	light, _, _, _ := got.At(56, 16).RGBA()
	if dark>>8 > 4 || light>>8 < 251 {
		t.Errorf("black is %d, white is %d", dark>>8, light>>8)
	}
}
