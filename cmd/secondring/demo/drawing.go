package demo

import (
	"bytes"
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"time"
)

// photoFiles is a file system of the photos and the drawings, without the other files of the
// folder of photos.
type photoFiles struct{ fs.FS }

func (d photoFiles) Open(name string) (fs.File, error) {
	switch name {
	case drawingName:
		return &memFile{Reader: bytes.NewReader(drawing), name: name, size: int64(len(drawing))}, nil
	case ".", ".gitkeep", "manifest.json":
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if drawn := illustrationNamed(name); drawn != nil {
		return &memFile{Reader: bytes.NewReader(drawn), name: name, size: int64(len(drawn))}, nil
	}
	file, err := d.FS.Open(name)
	if current := currentName(name); errors.Is(err, fs.ErrNotExist) && current != "" {
		return d.FS.Open(current)
	}
	return file, err
}

// currentName returns the name in this build of a picture, or of its copy, whose name had
// another hash in an earlier build. It returns "" if this build does not have the picture. The brands and phones of a store keep the address that they had
// when they were created.
func currentName(name string) string {
	label, kind := withoutHash(name)
	if label == "" {
		return ""
	}
	m, err := readManifest()
	if err != nil {
		return ""
	}
	for _, names := range []map[string]string{m.Photos, m.Brands} {
		for _, current := range names {
			if l, _ := withoutHash(current); l == label {
				return strings.TrimSuffix(current, ".jpg") + kind
			}
		}
	}
	return ""
}

// hashed matches names with a hash of the content.
var hashed = regexp.MustCompile(`^(.+)-[0-9a-f]{10}(\.jpg|-[0-9]+\.webp)$`)

// withoutHash splits "iphone-6-5aa1dac965-320.webp" into "iphone-6" and "-320.webp"; both
// are "" for a name without a hash.
func withoutHash(name string) (label, kind string) {
	parts := hashed.FindStringSubmatch(name)
	if parts == nil {
		return "", ""
	}
	return parts[1], parts[2]
}

// memFile is a drawing as an open file. It can seek, as http.FileServerFS requires.
type memFile struct {
	*bytes.Reader
	name string
	size int64
}

func (f *memFile) Stat() (fs.FileInfo, error) { return drawingInfo{f.name, f.size}, nil }

// Close does nothing: there is nothing to release.
func (f *memFile) Close() error { return nil }

type drawingInfo struct {
	name string
	size int64
}

func (i drawingInfo) Name() string     { return i.name }
func (i drawingInfo) Size() int64      { return i.size }
func (drawingInfo) Mode() fs.FileMode  { return 0o444 }
func (drawingInfo) ModTime() time.Time { return time.Time{} }
func (drawingInfo) IsDir() bool        { return false }
func (drawingInfo) Sys() any           { return nil }
