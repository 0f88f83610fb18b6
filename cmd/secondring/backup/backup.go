package backup

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"secondring/api/images"
	"secondring/store/sqlite"
)

// Names in the file.
const (
	Store    = "secondring.db"
	Pictures = "images"
	manifest = "manifest.json"
	sums     = "SHA256SUMS"
)

// format increases when older programs cannot read the file.
const format = 1

// Bounds of what is read into memory, for a file that is not a backup.
const (
	maxManifest = 1 << 20
	maxSums     = 256 << 20
)

// Manifest describes the content of a backup.
type Manifest struct {
	Format   int             `json:"format"`
	Made     time.Time       `json:"made"` // the moment of its content, or a little before
	Program  string          `json:"program"`
	Contents sqlite.Contents `json:"contents"`
	Images   int             `json:"images"` // copies of other widths included
	Bytes    int64           `json:"bytes"`  // of the store and the images
}

// Damage is the error for a file that is not a complete backup.
type Damage struct{ What string }

// Error says what is wrong with it.
func (d *Damage) Error() string { return d.What }

func damaged(format string, args ...any) error { return &Damage{fmt.Sprintf(format, args...)} }

// IsDamage tells whether the error is about the file and not about this machine.
func IsDamage(err error) bool {
	_, is := errors.AsType[*Damage](err)
	return is || errors.Is(err, sqlite.ErrDamaged) || errors.Is(err, sqlite.ErrForeign)
}

// image returns the image host's name of an image, from the name of its entry.
func image(entry string) (name string, ok bool) {
	name, ok = strings.CutPrefix(entry, Pictures+"/")
	if !ok {
		return "", false
	}
	_, ours := images.Media(name)
	return name, ours
}
