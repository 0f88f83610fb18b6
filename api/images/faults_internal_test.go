package images

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gocloud.dev/blob/memblob"

	"secondring/market"
)

func TestAnimatedWebPIsNotCalledDamaged(t *testing.T) {
	h := New(Config{Log: slog.New(slog.DiscardHandler)})
	for _, flags := range []string{"\x02", "\x12", "\x32", "\x3e", "\x22"} {
		file := "RIFF\x20\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00" + flags + "\x00\x00\x00\x00\x00\x00\x00\x00\x00ANIM"
		if _, err := h.reencode(t.Context(), strings.NewReader(file)); !errors.Is(err, errAnimated) {
			t.Errorf("an animated WebP with the flags %q: %v", flags, err)
		}
	}
}

// brokenDisk is a file whose disk fails after some bytes.
type brokenDisk struct {
	io.ReadSeeker
	left int
}

var errDisk = &os.PathError{Op: "read", Path: "upload", Err: errors.New("input/output error")}

func (d *brokenDisk) Read(p []byte) (int, error) {
	if d.left <= 0 {
		return 0, errDisk
	}
	n, err := d.ReadSeeker.Read(p[:min(len(p), d.left)])
	d.left -= n
	return n, err
}

// An error of the server's disk is not the picture's: it is an error of the server (5xx), whatever part
// of the file is read.
func TestErrorOfDiskIsNotThePictures(t *testing.T) {
	h := New(Config{Log: slog.New(slog.DiscardHandler)})
	for _, file := range smallPictures(t) {
		for _, after := range []int{0, 5, 30, len(file) / 2, len(file) - 1, len(file) + 10, 2*len(file) - 1} {
			_, err := h.reencode(t.Context(), &brokenDisk{strings.NewReader(string(file)), after})
			if err != nil && !errors.Is(err, errDisk) {
				t.Errorf("%.4q after %d bytes: %v", file, after, err)
			}
			if err == nil && after < len(file) {
				t.Errorf("%.4q was read although the disk failed after %d bytes", file, after)
			}
		}
	}
}

// The same holds for the store of pictures.
func TestErrorOfBucketIsNotThePictures(t *testing.T) {
	bucket := memblob.OpenBucket(nil)
	if err := bucket.Close(); err != nil {
		t.Fatal(err)
	}
	h := New(Config{Bucket: bucket, Records: noRecords{}, Log: slog.New(slog.DiscardHandler)})
	for i, content := range smallPictures(t) {
		path := filepath.Join(t.TempDir(), "upload")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.process(t.Context(), file, h.savePublic)
		if refused := (*market.Error)(nil); err == nil || errors.As(err, &refused) {
			t.Errorf("picture %d: %v", i, err)
		}
		_ = file.Close()
	}
}

// noRecords is a store without records.
type noRecords struct{ market.DocumentStore }

func (noRecords) Record(context.Context, string, string) (market.Record, error) {
	return market.Record{}, market.ErrNotFound
}
