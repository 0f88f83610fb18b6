package server

import (
	"maps"
	"net/http"
)

const dataPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// stripePayment are the origins that may ask the browser for a payment
// (docs.stripe.com/security/guide).
const stripePayment = `self "https://js.stripe.com" "https://*.js.stripe.com"`

// secured sets the headers that restrict what a browser may do with an answer, and Vary. A
// page replaces the Content-Security-Policy.
func (s *server) secured(next http.Handler) http.Handler {
	payment := ""
	if s.Settings.AtStripe() {
		payment = stripePayment
	}
	headers := http.Header{}
	headers.Set("X-Content-Type-Options", "nosniff")
	headers.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	headers.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), browsing-topics=(), payment=("+payment+")")
	headers.Set("Cross-Origin-Opener-Policy", "same-origin")
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
