package demo

import (
	"embed"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"sync"
)

// The photographs are made by "make photos" and are never committed; a build
// without them still works and shows the drawing instead.
//
//go:embed all:photos
var photosFS embed.FS

//go:embed drawing.svg
var drawing []byte

// URLPrefix is the path under which the server must serve Photos.
const URLPrefix = "/photos/"

// drawingName stands in for a picture that this build does not have.
const drawingName = "drawing.svg"

type manifest struct {
	Photos map[string]string `json:"photos"`
	Brands map[string]string `json:"brands"`
}

// readManifest is empty, not an error, in a build without photographs.
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

// Built tells whether this build has the photographs.
func Built() bool {
	m, err := readManifest()
	return err == nil && len(m.Photos) > 0
}

// Photos holds the pictures, their credits as CREDITS.txt, and a drawing for
// builds without photographs. All but drawing.svg and CREDITS.txt have names
// that change with their content and may be cached for ever.
func Photos() fs.FS {
	sub, err := fs.Sub(photosFS, "photos")
	if err != nil { // only an invalid path, and this one is valid
		panic(err)
	}
	return withDrawing{sub}
}

// PhotoPath is the site-relative URL of a photograph in the models table.
func PhotoPath(file string) string {
	m, err := readManifest()
	if err != nil {
		return URLPrefix + drawingName
	}
	return pictureURL(m.Photos[file])
}

// TilePath is the site-relative URL of a brand's tile.
func TilePath(brand string) string {
	m, err := readManifest()
	if err != nil {
		return URLPrefix + drawingName
	}
	return pictureURL(m.Brands[brand])
}

func pictureURL(name string) string {
	if name == "" {
		name = drawingName
	}
	return path.Join(URLPrefix, name)
}
