package demo

import (
	"bytes"
	"io/fs"
	"time"
)

// withDrawing is the folder of photographs plus the one drawing, and without
// the files that are no pictures.
type withDrawing struct{ fs.FS }

func (d withDrawing) Open(name string) (fs.File, error) {
	switch name {
	case drawingName:
		return &memFile{Reader: bytes.NewReader(drawing), size: int64(len(drawing))}, nil
	case ".", ".gitkeep", "manifest.json":
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return d.FS.Open(name)
}

// memFile is the drawing as an open file; it can seek, as http.FileServerFS
// wants.
type memFile struct {
	*bytes.Reader
	size int64
}

func (f *memFile) Stat() (fs.FileInfo, error) { return drawingInfo(f.size), nil }

// Close does nothing: there is nothing to release.
func (f *memFile) Close() error { return nil }

type drawingInfo int64

func (drawingInfo) Name() string       { return drawingName }
func (i drawingInfo) Size() int64      { return int64(i) }
func (drawingInfo) Mode() fs.FileMode  { return 0o444 }
func (drawingInfo) ModTime() time.Time { return time.Time{} }
func (drawingInfo) IsDir() bool        { return false }
func (drawingInfo) Sys() any           { return nil }
