package rest

import "net/http"

// SetPageHeaders sets the headers that restrict what a browser may do with an HTML page:
// its Content-Security-Policy, and those that have no effect on other responses. payment
// are the origins that may request a payment from the browser; "" for none.
func SetPageHeaders(h http.Header, policy, payment string) {
	h.Set("Content-Security-Policy", policy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), browsing-topics=(), payment=("+payment+")")
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
}
