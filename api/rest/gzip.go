package rest

import (
	"bytes"

	"github.com/klauspost/compress/gzip"
)

// Gzipped returns a body compressed at a level of package gzip, or nil if that saves
// nothing.
func Gzipped(body []byte, level int) []byte {
	if len(body) < MinGzip {
		return nil
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, level)
	if err != nil {
		return nil
	}
	if _, err = w.Write(body); err != nil || w.Close() != nil || out.Len() >= len(body) {
		return nil
	}
	return out.Bytes()
}
