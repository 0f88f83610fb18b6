package demo_test

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"secondring/cmd/secondring/demo"
	"secondring/market"
)

// Every picture of the dataset is served. In a build without photos it is the drawing.
func TestPicturesAreServed(t *testing.T) {
	server := httptest.NewServer(http.StripPrefix(demo.URLPrefix, http.FileServerFS(demo.Photos())))
	defer server.Close()
	d := demo.New(now)
	urls := map[string]bool{}
	for _, b := range d.Brands {
		urls[b.Img] = true
	}
	for _, p := range d.Phones {
		for _, photo := range p.Photos {
			urls[photo.URL] = true
		}
	}
	for url := range urls {
		response, err := http.Get(server.URL + url)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		contentType := response.Header.Get("Content-Type")
		if err != nil || response.StatusCode != http.StatusOK || len(body) < 500 || !strings.HasPrefix(contentType, "image/") {
			t.Errorf("%s: %s %s, %d bytes, %v", url, response.Status, contentType, len(body), err)
		}
		if len(body) > 150_000 {
			t.Errorf("%s has %d bytes, want at most 150000 for a card", url, len(body))
		}
	}
	for _, p := range d.Phones {
		if p.Drawn {
			continue
		}
		for _, photo := range p.Photos {
			checkVariants(t, photo.URL)
		}
	}
	if demo.Built() && len(urls) < 90 {
		t.Errorf("the dataset has %d different pictures, want at least 90", len(urls))
	}
}

// side matches the photo of one side of a phone.
var side = regexp.MustCompile(`-(front|back|edge)-[0-9a-f]{10}\.jpg$`)

// checkVariants checks the metadata and the smaller variants of a phone's photo. A whole
// photo is in landscape format, as wide as a card; that of a side is in portrait format.
func checkVariants(t *testing.T, url string) {
	t.Helper()
	width, variants := 640, 3
	if side.MatchString(url) {
		width, variants = 480, 2
	}
	metadata, err := demo.Metadata(url)
	if demo.Built() && (err != nil || metadata.Width != width || metadata.Height != 600 || metadata.Blur == "" || len(metadata.Widths) != variants) {
		t.Errorf("the metadata of %s is %+v, %v", url, metadata, err)
	}
	for _, width := range metadata.Widths {
		file, err := fs.ReadFile(demo.Photos(), strings.TrimPrefix(market.CopyURL(url, width), demo.URLPrefix))
		if err != nil || http.DetectContentType(file) != "image/webp" || len(file) > 100_000 {
			t.Errorf("%s %d wide: %d bytes, %v", url, width, len(file), err)
		}
	}
}

func TestMostPhonesHaveSeveralPhotos(t *testing.T) {
	if !demo.Built() {
		t.Log("this build has no photos, only the drawing")
		return
	}
	withThree := 0
	for _, p := range demo.New(now).Phones {
		urls, alts := map[string]bool{}, map[string]bool{}
		for _, photo := range p.Photos {
			urls[photo.URL], alts[photo.Alt] = true, true
			if !strings.Contains(photo.Alt, p.Colour) || len(photo.Alt) > 200 {
				t.Errorf("%s: the alt text %q is too long or does not contain the colour %s", p.Name, photo.Alt, p.Colour)
			}
		}
		if len(urls) != len(p.Photos) || len(alts) != len(p.Photos) || len(urls) > 4 {
			t.Errorf("%s: the photos %+v are not unique, or more than four", p.Name, p.Photos)
		}
		if len(p.Photos) > 2 {
			withThree++
		}
	}
	if withThree < 200 {
		t.Errorf("%d phones have three photos or more, want at least 200", withThree)
	}
}

// The first rows of Home, the brands' tiles and the first row of each brand show real photos.
func TestPhotosAreInTheFirstRows(t *testing.T) {
	if !demo.Built() {
		t.Log("this build has no photos, only the drawing")
		return
	}
	d := demo.New(now)
	home, tiles, photosOf := map[string]bool{}, map[string]bool{}, map[string][]bool{}
	for _, p := range slices.Backward(d.Phones) {
		photosOf[p.Brand] = append(photosOf[p.Brand], !p.Drawn)
		if p.Advertised && !p.Drawn {
			home[p.Photos[0].URL] = true
		}
	}
	for _, b := range d.Brands {
		if path.Ext(b.Img) != ".svg" {
			tiles[b.Img] = true
		}
		few := map[string]int{"OnePlus": 1, "Xiaomi": 3}
		want := cmp.Or(few[b.Name], 4)
		if first := photosOf[b.Name][:want]; slices.Contains(first, false) {
			t.Errorf("the newest phones of %s have photos: %v, want the first %d", b.Name, first, want)
		}
	}
	if len(home) < 24 || len(tiles) != len(d.Brands) {
		t.Errorf("Home has %d photos, and %d brands of %d have one; want 24, and all", len(home), len(tiles), len(d.Brands))
	}
}

func TestNoTwoPhonesHaveTheSamePicture(t *testing.T) {
	shown := map[string]string{}
	for _, p := range demo.New(now).Phones {
		url := p.Photos[0].URL
		if other := shown[url]; other != "" && (p.Drawn || demo.Built()) {
			t.Errorf("%s shows %s, as %s does", p.Name, url, other)
		}
		shown[url] = p.Name
	}
}

func TestPhotosHaveCredits(t *testing.T) {
	if !demo.Built() {
		t.Log("this build has no photos, only the drawing")
		return
	}
	credits, err := fs.ReadFile(demo.Photos(), "CREDITS.txt")
	if err != nil || !strings.Contains(string(credits), "creativecommons.org/licenses/by-sa/4.0") {
		t.Errorf("CREDITS.txt does not name the licence: %v\n%s", err, credits)
	}
	for _, hidden := range []string{".", "manifest.json", ".gitkeep"} {
		if f, err := demo.Photos().Open(hidden); err == nil {
			f.Close()
			t.Errorf("%s is served", hidden)
		}
	}
	for _, p := range demo.New(now).Phones {
		if !p.Drawn && path.Ext(p.Photos[0].URL) != ".jpg" {
			t.Errorf("%s has %s instead of a photo", p.Name, p.Photos[0].URL)
		}
	}
}

// The names of pictures contain a hash of their content. A store has the names of the build
// that filled it, which may be an older one.
func TestPicturesOfAnEarlierBuildAreStillServed(t *testing.T) {
	if !demo.Built() {
		t.Log("this build has no photos, only the drawing")
		return
	}
	current := strings.TrimPrefix(demo.TilePath("BlackBerry"), demo.URLPrefix)
	old := "brand-blackberry-0123456789-640.webp"
	want, err := fs.ReadFile(demo.Photos(), current)
	if err != nil {
		t.Fatal(err)
	}
	got, err := fs.ReadFile(demo.Photos(), old)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not the same picture as %s: %v", old, current, err)
	}
	if tile, err := fs.ReadFile(demo.Photos(), "brand-blackberry-0123456789.jpg"); err != nil || len(tile) < len(want) {
		t.Errorf("the large picture of a brand in an older store has %d bytes, %v", len(tile), err)
	}
	variant := strings.TrimPrefix(market.CopyURL(demo.PhotoPath("iPhone_6"), 320), demo.URLPrefix)
	if want, err = fs.ReadFile(demo.Photos(), variant); err != nil {
		t.Fatal(err)
	}
	if got, err = fs.ReadFile(demo.Photos(), "iphone-6-0123456789-320.webp"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the variant with an old name is not %s: %v", variant, err)
	}
	for _, unknown := range []string{"brand-nobody-0123456789.jpg", "iphone-6-0123456789-321.webp", "iphone-6.jpg"} {
		if _, err := fs.ReadFile(demo.Photos(), unknown); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the unknown picture %s: %v, want ErrNotExist", unknown, err)
		}
	}
}

// Drawings are well-formed SVG. There is no drawing for an unknown name.
func TestDrawingsAreWellFormed(t *testing.T) {
	for _, p := range demo.New(now).Phones {
		if !p.Drawn {
			continue
		}
		for _, photo := range p.Photos {
			name := strings.TrimPrefix(photo.URL, demo.URLPrefix)
			svg, err := fs.ReadFile(demo.Photos(), name)
			if err != nil || len(svg) > 16_000 {
				t.Errorf("%s: %d bytes, %v", name, len(svg), err)
			}
			if err := xml.Unmarshal(svg, new(struct{})); err != nil || bytes.Contains(svg, []byte("NaN")) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for _, unknown := range []string{"drawn.nothing.punch.000000.both-0123456789.svg", "drawn.block.punch.000000.edge-0123456789.svg"} {
		if _, err := fs.ReadFile(demo.Photos(), unknown); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the unknown drawing %s: %v, want ErrNotExist", unknown, err)
		}
	}
}

func TestOtherPicturesHaveNoMetadata(t *testing.T) {
	for _, url := range []string{"", "/photos/", demo.URLPrefix + "drawing.svg", demo.TilePath("Apple"), "/images" + strings.TrimPrefix(demo.PhotoPath("iPhone_6"), "/photos")} {
		if metadata, err := demo.Metadata(url); !errors.Is(err, market.ErrNotFound) {
			t.Errorf("%s has the metadata %+v, %v; want ErrNotFound", url, metadata, err)
		}
	}
}
