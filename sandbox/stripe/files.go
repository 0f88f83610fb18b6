package stripe

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
)

//go:embed script/stripe.js
var script []byte

//go:embed script/stripe.css
var styles []byte

// addFiles adds the routes of the script that replaces Stripe.js in the browser, and of its style
// sheet.
func addFiles(r chi.Router) {
	for path, file := range map[string]http.HandlerFunc{
		"/v3.js":  staticFile(script, "text/javascript; charset=utf-8"),
		"/v3.css": staticFile(styles, "text/css; charset=utf-8"),
	} {
		r.Get(path, file)
		r.Head(path, file)
	}
}

// staticFile returns the handler of one file. The browser revalidates the file at each use,
// because its URL stays the same in a new version. It is compressed, because the page waits for
// the script.
func staticFile(body []byte, media string) http.HandlerFunc {
	sum := sha256.Sum256(body)
	tag := hex.EncodeToString(sum[:12])
	compressed := sync.OnceValue(func() []byte { return gzipped(body) })
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", media)
		h.Set("Cache-Control", "no-cache")
		h.Add("Vary", "Accept-Encoding")
		if acceptsGzip(r) {
			h.Set("Content-Encoding", "gzip")
			h.Set("ETag", `"`+tag+`-gzip"`)
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(compressed()))
			return
		}
		h.Set("ETag", `"`+tag+`"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	}
}

// acceptsGzip reports whether the request accepts gzip with a quality above zero.
func acceptsGzip(r *http.Request) bool {
	for coding := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, quality, _ := strings.Cut(strings.ReplaceAll(coding, " ", ""), ";")
		if strings.EqualFold(name, "gzip") {
			return strings.Trim(quality, "q=0.") != "" || quality == ""
		}
	}
	return false
}

func gzipped(body []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid
	_, _ = w.Write(body)                                    // a write to memory does not fail
	_ = w.Close()
	return out.Bytes()
}
