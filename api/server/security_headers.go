package server

import (
	"maps"
	"net/http"
)

const dataPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// secured sets the headers that restrict what a browser may do with any response, and Vary.
// Pages have further ones, including a Content-Security-Policy: see rest.SetPageHeaders.
func (s *server) secured(next http.Handler) http.Handler {
	headers := http.Header{}
	headers.Set("X-Content-Type-Options", "nosniff")
	headers.Set("Content-Security-Policy", dataPolicy)
	headers.Set("Vary", "Origin") // crossOrigin sets other headers for each origin
	if s.https {
		headers.Set("Strict-Transport-Security", "max-age=31536000")
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		maps.Copy(w.Header(), headers)
		next.ServeHTTP(w, r)
	})
}
