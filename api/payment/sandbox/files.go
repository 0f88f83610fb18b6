package sandbox

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
)

//go:embed script/stripe.js
var script []byte

//go:embed script/stripe.css
var styles []byte

// files serves the browser's half: the script that stands in for Stripe.js.
func (s *Sandbox) files(r chi.Router) {
	for path, file := range map[string]http.HandlerFunc{
		"/v3.js":  fixed(script, "text/javascript; charset=utf-8"),
		"/v3.css": fixed(styles, "text/css; charset=utf-8"),
	} {
		r.Get(path, file)
		r.Head(path, file)
	}
}

// fixed serves one file, which the browser asks about each time: its address
// stays the same when the product is renewed.
func fixed(body []byte, media string) http.HandlerFunc {
	sum := sha256.Sum256(body)
	tag := `"` + hex.EncodeToString(sum[:12]) + `"`
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", media)
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("ETag", tag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	}
}
