package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Folders are the folders that Read writes to. They must exist; the store's file in them is
// secondring.db. With empty names it only checks the backup.
type Folders struct{ Store, Pictures string }

// reader reads entries and keeps their checksums.
type reader struct {
	into     Folders
	got      map[string]string // sums by names
	manifest []byte
	sums     []byte
	images   int
	bytes    int64
}

// Read reads a backup to its end, checks that it is what Write has written, and puts the
// store and the images into folders. They are synced when it returns; after an error their
// content must not be used. The error is a *Damage for a file that is not a complete backup.
func Read(ctx context.Context, from io.Reader, into Folders) (m Manifest, err error) {
	r := &reader{into: into, got: map[string]string{}}
	for all := tar.NewReader(from); ; {
		header, err := all.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = errors.Join(ctx.Err(), r.entry(header, all))
		}
		if err != nil {
			return m, asDamage(err)
		}
	}
	if r.sums == nil {
		return m, damaged("it has no end: it was cut off, or is no backup of SecondRing's")
	}
	return r.prove()
}

// asDamage makes a Damage of the tar reader's errors about malformed bytes.
func asDamage(err error) error {
	switch {
	case errors.Is(err, tar.ErrHeader):
		return damaged("it is damaged, or no backup of SecondRing's")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return damaged("it has no end: it was cut off")
	}
	return err
}

func (r *reader) entry(header *tar.Header, from io.Reader) (err error) {
	name := header.Name
	if _, twice := r.got[name]; twice || r.sums != nil || header.Typeflag != tar.TypeReg || sparse(header) {
		return damaged("it is damaged: %q does not belong there", name)
	}
	hash := sha256.New()
	from = io.TeeReader(from, hash)
	picture, isPicture := image(name)
	switch {
	case name == Store:
		err = r.keep(r.into.Store, Store, header, from)
	case isPicture:
		r.images++
		err = r.keep(r.into.Pictures, picture, header, from)
	case name == manifest:
		r.manifest, err = short(header, from, maxManifest)
	case name == sums:
		r.sums, err = short(header, from, maxSums)
		return err
	default:
		return damaged("%q is nothing that a backup of SecondRing's has", name)
	}
	r.got[name] = hex.EncodeToString(hash.Sum(nil))
	return err
}

// sparse tells whether an entry is a sparse file. One of a kilobyte can become terabytes of
// zeros, and Write makes none.
func sparse(header *tar.Header) bool {
	for name := range header.PAXRecords {
		if strings.HasPrefix(name, "GNU.sparse.") {
			return true
		}
	}
	return false
}

// keep writes an entry into a folder and syncs it.
func (r *reader) keep(folder, name string, header *tar.Header, from io.Reader) error {
	r.bytes += header.Size
	if folder == "" {
		_, err := io.Copy(io.Discard, from)
		return err
	}
	file, err := os.OpenFile(filepath.Join(folder, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, from)
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

func short(header *tar.Header, from io.Reader, most int64) ([]byte, error) {
	if header.Size > most {
		return nil, damaged("%s of %d bytes is none of SecondRing's", header.Name, header.Size)
	}
	return io.ReadAll(from)
}

// prove compares the checksums with those of the entries that were read. Neither may have
// more than the other.
func (r *reader) prove() (m Manifest, err error) {
	lines := 0
	for line := range strings.Lines(string(r.sums)) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok || r.got[name] == "" {
			return m, damaged("it is damaged: %q is missing", name)
		}
		if r.got[name] != sum {
			return m, damaged("it is damaged: %s is not what was written", name)
		}
		lines++
	}
	if lines != len(r.got) {
		return m, damaged("it is damaged: %d of its files are without a sum", len(r.got)-lines)
	}
	if err := json.NewDecoder(bytes.NewReader(r.manifest)).Decode(&m); err != nil {
		return m, damaged("it is damaged: it does not say what it holds (%v)", err)
	}
	switch {
	case m.Format > format:
		return m, fmt.Errorf("it is of a newer SecondRing (format %d, this one reads %d): use that one", m.Format, format)
	case r.got[Store] == "", m.Images != r.images, m.Bytes != r.bytes:
		return m, damaged("it is damaged: it does not hold what it says")
	}
	return m, nil
}
