package images

import (
	"cmp"
	"net/http"
	"regexp"
	"strings"
	"time"

	"gocloud.dev/gcerrors"

	"secondring/api/rest"
	"secondring/market"
)

// hashLength is the number of hex digits with which every file name begins.
const hashLength = 64

// The forms of the file names. The host uses no others, so no other file can be requested.
var (
	originals = regexp.MustCompile(`^[0-9a-f]{64}\.jpg$`)
	copies    = regexp.MustCompile(`^[0-9a-f]{64}-[1-9][0-9]{2,3}\.webp$`)
)

// Media returns the media type of a picture or a copy by its name; false for a name that
// the host does not use.
func Media(name string) (media string, ok bool) {
	switch {
	case copies.MatchString(name):
		return copyType, true
	case originals.MatchString(name):
		return mediaType, true
	}
	return "", false
}

// serve sends a picture or a copy. Its name has the hash of the picture's content, so a
// client may cache it forever.
func (h *Host) serve(w http.ResponseWriter, r *http.Request) error {
	name := rest.PathValue(r, "name")
	media, ok := Media(name)
	if !ok {
		return noImage()
	}
	// The files may exist, after a crash or a restore of a backup.
	original, _ := originalOf(name)
	if removed, err := h.isRemoved(r.Context(), original); err != nil || removed {
		return cmp.Or(err, noImage())
	}
	reader, err := h.bucket.NewReader(r.Context(), name, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return noImage()
	}
	if err != nil {
		return err
	}
	defer reader.Close()
	head := w.Header()
	head.Set("Content-Type", media)
	head.Set("Content-Disposition", "inline")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
	head.Set("Cache-Control", "public, max-age=31536000, immutable")
	head.Set("ETag", `"`+strings.TrimSuffix(name, extension)+`"`)
	http.ServeContent(w, r, "", time.Time{}, reader)
	return nil
}

func noImage() error { return rest.NewError(market.CodeNotFound, "There is no such image") }
