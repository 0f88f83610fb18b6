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

// Folders are the folders that Read writes the store, secondring.db, and the images to. They
// must exist. If their names are empty, Read only checks the backup.
type Folders struct{ Store, Pictures string }

// reader reads entries and computes their checksums.
type reader struct {
	folders   Folders
	checksums map[string]string // by name of the entry
	manifest  []byte
	sums      []byte
	images    int
	bytes     int64
}

// Read reads a backup to its end, checks that it is what Write has written, and writes the
// store and the images into folders. They are synced when it returns; after an error their
// content must not be used. It returns a *DamageError if the file is not a complete backup.
func Read(ctx context.Context, from io.Reader, folders Folders) (m Manifest, err error) {
	r := &reader{folders: folders, checksums: map[string]string{}}
	for entries := tar.NewReader(from); ; {
		header, err := entries.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = errors.Join(ctx.Err(), r.entry(header, entries))
		}
		if err != nil {
			return m, asDamage(err)
		}
	}
	if r.sums == nil {
		return m, damaged("it has no end: it was cut off, or is no backup of SecondRing's")
	}
	return r.verify()
}

// asDamage converts errors of the tar reader about malformed bytes to a DamageError.
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
	if _, duplicate := r.checksums[name]; duplicate || r.sums != nil || header.Typeflag != tar.TypeReg || sparse(header) {
		return damaged("it is damaged: %q does not belong there", name)
	}
	hash := sha256.New()
	from = io.TeeReader(from, hash)
	picture, isPicture := imageName(name)
	switch {
	case name == Store:
		err = r.save(r.folders.Store, Store, header, from)
	case isPicture:
		r.images++
		err = r.save(r.folders.Pictures, picture, header, from)
	case name == manifest:
		r.manifest, err = readSmall(header, from, maxManifest)
	case name == sums:
		r.sums, err = readSmall(header, from, maxSums)
		return err
	default:
		return damaged("%q is nothing that a backup of SecondRing's has", name)
	}
	r.checksums[name] = hex.EncodeToString(hash.Sum(nil))
	return err
}

// sparse returns whether an entry is a sparse file. A sparse file of a kilobyte can expand to
// terabytes of zeros, and Write writes none.
func sparse(header *tar.Header) bool {
	for name := range header.PAXRecords {
		if strings.HasPrefix(name, "GNU.sparse.") {
			return true
		}
	}
	return false
}

// save writes an entry into a folder and syncs it. It only reads it if the folder is "".
func (r *reader) save(folder, name string, header *tar.Header, from io.Reader) error {
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

// readSmall reads an entry into memory. It returns a *DamageError if the entry is larger than
// limit bytes.
func readSmall(header *tar.Header, from io.Reader, limit int64) ([]byte, error) {
	if header.Size > limit {
		return nil, damaged("%s has %d bytes, which is too many", header.Name, header.Size)
	}
	return io.ReadAll(from)
}

// verify compares the listed checksums with those of the entries that were read. Both must
// have the same entries. It returns the manifest.
func (r *reader) verify() (m Manifest, err error) {
	lines := 0
	for line := range strings.Lines(string(r.sums)) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok || r.checksums[name] == "" {
			return m, damaged("it is damaged: %q is missing", name)
		}
		if r.checksums[name] != sum {
			return m, damaged("it is damaged: %s is not what was written", name)
		}
		lines++
	}
	if lines != len(r.checksums) {
		return m, damaged("it is damaged: %d of its files are without a sum", len(r.checksums)-lines)
	}
	if err := json.NewDecoder(bytes.NewReader(r.manifest)).Decode(&m); err != nil {
		return m, damaged("it is damaged: it does not say what it holds (%v)", err)
	}
	switch {
	case m.Format > format:
		return m, fmt.Errorf("it is of a newer SecondRing (format %d, this one reads %d): use that one", m.Format, format)
	case r.checksums[Store] == "", m.Images != r.images, m.Bytes != r.bytes:
		return m, damaged("it is damaged: it does not hold what it says")
	}
	return m, nil
}
