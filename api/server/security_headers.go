package server

import "net/http"

const dataPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// stripePayment are the origins that may ask the browser for a payment
// (docs.stripe.com/security/guide).
const stripePayment = `self "https://js.stripe.com" "https://*.js.stripe.com"`

// secured sets the headers that keep a browser from doing with an answer what it
// was not meant for. A page sets a policy of its own.
func (s *server) secured(next http.Handler) http.Handler {
	payment := ""
	if s.Settings.AtStripe() {
		payment = stripePayment
	}
	permissions := "camera=(), microphone=(), geolocation=(), browsing-topics=(), payment=(" + payment + ")"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
		h.Set("Permissions-Policy", permissions)
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Content-Security-Policy", dataPolicy)
		if s.https {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		next.ServeHTTP(w, r)
	})
}
