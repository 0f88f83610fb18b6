package stripe

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5/middleware"
)

// script has the script that replaces Stripe.js in the browser, and its style sheet.
//
//go:embed script
var script embed.FS

// staticFile returns the handler of a file. The browser revalidates the file at each use,
// because its URL stays the same in a new version. It is compressed, because the page waits for
// the script.
func staticFile(name string) http.Handler {
	body, err := script.ReadFile(name)
	if err != nil { // impossible: the file is embedded
		panic(err)
	}
	sum := sha256.Sum256(body)
	tag := `W/"` + hex.EncodeToString(sum[:12]) + `"` // weak: it is the same for the compressed file
	const level = 6
	return middleware.Compress(level, "text/javascript", "text/css")(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("ETag", tag)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
	}))
}
