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

// Media returns the media type of a file by its name: of a picture, a copy or a photograph of an order;
// false for a name that the host does not use.
func Media(name string) (media string, ok bool) {
	switch {
	case copies.MatchString(name):
		return copyType, true
	case originals.MatchString(name), isEvidenceFile(name):
		return mediaType, true
	}
	return "", false
}

// serve sends a picture or a copy. Its name has the hash of the picture's content, so a
// client may cache it forever.
func (h *Host) serve(w http.ResponseWriter, r *http.Request) error {
	name := rest.PathValue(r, "name")
	original, ok := originalOf(name)
	if !ok {
		return noImage()
	}
	// The files may exist, after a crash or a restore of a backup.
	if removed, err := h.isRemoved(r.Context(), original); err != nil || removed {
		return cmp.Or(err, noImage())
	}
	return h.send(w, r, name, map[string]string{
		"Cache-Control": "public, max-age=31536000, immutable", "ETag": `"` + strings.TrimSuffix(name, extension) + `"`,
	})
}

// send sends a file. The headers are added only if there is one.
func (h *Host) send(w http.ResponseWriter, r *http.Request, name string, headers map[string]string) error {
	reader, err := h.bucket.NewReader(r.Context(), name, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return noImage()
	}
	if err != nil {
		return err
	}
	defer reader.Close()
	media, _ := Media(name)
	head := w.Header()
	head.Set("Content-Type", media)
	head.Set("Content-Disposition", "inline")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
	for key, value := range headers {
		head.Set(key, value)
	}
	http.ServeContent(w, r, "", time.Time{}, reader)
	return nil
}

func noImage() error { return rest.NewError(market.CodeNotFound, "There is no such image") }
