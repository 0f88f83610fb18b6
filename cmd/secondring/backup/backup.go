package backup

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"secondring/api/images"
	"secondring/store/sqlite"
)

// Names of entries in the file.
const (
	Store    = "secondring.db"
	Pictures = "images"
	manifest = "manifest.json"
	sums     = "SHA256SUMS"
)

// format increases when older programs cannot read the file.
const format = 1

// Limits of the entries that are read into memory, in bytes. They are for files that are not
// backups.
const (
	maxManifest = 1 << 20
	maxSums     = 256 << 20
)

// Manifest describes the content of a backup.
type Manifest struct {
	Format   int             `json:"format"`
	Made     time.Time       `json:"made"` // when the store was copied, or a little before
	Program  string          `json:"program"`
	Contents sqlite.Contents `json:"contents"`
	Images   int             `json:"images"` // copies of other widths included
	Bytes    int64           `json:"bytes"`  // total size of the store and the images
}

// DamageError means that a file is not a complete backup.
type DamageError struct{ Reason string }

// Error returns the reason.
func (d *DamageError) Error() string { return d.Reason }

func damaged(format string, args ...any) error { return &DamageError{fmt.Sprintf(format, args...)} }

// IsDamage returns whether an error is about the file and not about this machine.
func IsDamage(err error) bool {
	_, damage := errors.AsType[*DamageError](err)
	return damage || errors.Is(err, sqlite.ErrDamaged) || errors.Is(err, sqlite.ErrForeign)
}

// imageName returns the name that the image host has for an image, from the name of its entry.
// It returns false if the entry is no image.
func imageName(entry string) (name string, ok bool) {
	name, ok = strings.CutPrefix(entry, Pictures+"/")
	if !ok {
		return "", false
	}
	_, ok = images.Media(name)
	return name, ok
}
