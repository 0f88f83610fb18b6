package server

import (
	"maps"
	"net/http"
)

const dataPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// secured sets the headers that restrict what a browser may do with any answer, and Vary.
// Pages have more of them, and a Content-Security-Policy of their own: see
// rest.SetPageHeaders.
func (s *server) secured(next http.Handler) http.Handler {
	headers := http.Header{}
	headers.Set("X-Content-Type-Options", "nosniff")
	headers.Set("Content-Security-Policy", dataPolicy)
	headers.Set("Vary", "Origin") // crossOrigin answers each origin with other headers
	if s.https {
		headers.Set("Strict-Transport-Security", "max-age=31536000")
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		maps.Copy(w.Header(), headers)
		next.ServeHTTP(w, r)
	})
}
