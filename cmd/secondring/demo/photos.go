package demo

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"secondring/cmd/secondring/demo/models"
	"secondring/market"
)

// The photos are made by "make photos" and are never committed; a build without
// them still works and shows drawing.svg instead. Models since 2019 have no photos:
// illustration.go draws them.
//
//go:embed all:photos
var photosFS embed.FS

//go:embed drawing.svg
var drawing []byte

// URLPrefix is the path under which the server must serve Photos.
const URLPrefix = "/photos/"

// drawingName replaces a picture that this build does not have.
const drawingName = "drawing.svg"

type manifest struct {
	Photos map[string]string `json:"photos"`
	Brands map[string]string `json:"brands"`
	// About is the metadata of each photo, by its picture's name.
	About map[string]market.Picture `json:"about"`
	// Views are the sides of the phone in a photo, by its file.
	Views map[string]map[models.Side]string `json:"views"`
	// TileShown is the width of the copy of a tile that is shown, in pixels; 0 without a copy.
	TileShown int `json:"tileShown"`
}

// readManifest returns an empty manifest in a build without photos.
var readManifest = sync.OnceValues(func() (manifest, error) {
	var m manifest
	text, err := photosFS.ReadFile("photos/manifest.json")
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(text, &m)
})

// Built returns whether this build has the photos.
func Built() bool {
	m, err := readManifest()
	return err == nil && len(m.Photos) > 0
}

// Photos returns the pictures, their credits as CREDITS.txt, the illustrations, and a drawing
// for builds without photos. All but drawing.svg and
// CREDITS.txt have names that change with their content and may be cached for ever.
func Photos() fs.FS {
	sub, err := fs.Sub(photosFS, "photos")
	if err != nil { // only an invalid path, and this one is valid
		panic(err)
	}
	return photoFiles{sub}
}

// PhotoPath returns the site-relative URL of a photo in the models table.
func PhotoPath(file string) string {
	m, err := readManifest()
	if err != nil {
		return URLPrefix + drawingName
	}
	return pictureURL(m.Photos[file])
}

// photosOf returns the photos of a listing: the whole photo, and each side of the phone
// in it as a photo of its own. The first is that of a side, or the whole one for "".
func photosOf(m models.Model, p models.Photo, first models.Side) []Photo {
	if p.Hex != "" {
		return drawingsOf(m, p)
	}
	whole := Photo{URL: PhotoPath(p.File), Alt: fmt.Sprintf("%s in %s", m.FullName(), p.Colour)}
	known, err := readManifest()
	if err != nil || len(known.Views[p.File]) == 0 {
		return []Photo{whole}
	}
	whole.Alt += ", front and back"
	photos := []Photo{whole}
	for _, side := range []models.Side{models.Front, models.Back, models.Edge} {
		if name := known.Views[p.File][side]; name != "" {
			photo := Photo{URL: pictureURL(name), Alt: fmt.Sprintf(sideAlts[side], m.Name, p.Colour)}
			if side == first {
				photos = slices.Insert(photos, 0, photo)
			} else {
				photos = append(photos, photo)
			}
		}
	}
	return photos
}

// drawingsOf returns the drawings of a listing of a model without photos.
func drawingsOf(m models.Model, p models.Photo) []Photo {
	d := illustration{cameras: m.Cameras, screen: m.Screen, hex: p.Hex}
	photos := []Photo{{URL: pictureURL(d.name()), Alt: fmt.Sprintf("Drawing of the %s in %s, front and back", m.FullName(), p.Colour)}}
	for _, side := range []models.Side{models.Front, models.Back} {
		d.side = side
		photos = append(photos, Photo{URL: pictureURL(d.name()), Alt: "Drawing: " + fmt.Sprintf(sideAlts[side], m.Name, p.Colour)})
	}
	return photos
}

// sideAlts are the formats of the alternative texts of views, with a model and a colour.
var sideAlts = map[models.Side]string{
	models.Front: "The front of the %s in %s, with its screen",
	models.Back:  "The back of the %s in %s, with its camera",
	models.Edge:  "The %s in %s, seen from the side",
}

// Metadata returns the metadata of a demo photo by its URL. It returns market.ErrNotFound for
// any other URL.
func Metadata(url string) (market.Picture, error) {
	m, err := readManifest()
	if err != nil {
		return market.Picture{}, err
	}
	about, known := m.About[strings.TrimPrefix(url, URLPrefix)]
	if !known || !strings.HasPrefix(url, URLPrefix) {
		return market.Picture{}, market.ErrNotFound
	}
	return about, nil
}

// TilePath returns the site-relative URL of a brand's tile, in a smaller variant if there is one.
func TilePath(brand string) string {
	m, err := readManifest()
	if err != nil {
		return URLPrefix + drawingName
	}
	url := pictureURL(m.Brands[brand])
	if m.TileShown == 0 || m.Brands[brand] == "" {
		return url
	}
	return market.CopyURL(url, m.TileShown)
}

func pictureURL(name string) string {
	if name == "" {
		name = drawingName
	}
	return path.Join(URLPrefix, name)
}
