package api

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

const dataPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// What Stripe.js needs of a page (docs.stripe.com/security/guide), but for the
// maps of its address form, which is not used here. Its frames may come from
// several hosts below js.stripe.com; hooks.stripe.com is where a card's owner is
// asked by the bank.
const (
	stripeScripts  = "https://js.stripe.com https://*.js.stripe.com"
	stripeFrames   = stripeScripts + " https://hooks.stripe.com"
	stripeConnects = "https://api.stripe.com"
	stripePayment  = `self "https://js.stripe.com" "https://*.js.stripe.com"`
)

// secured sets the headers that keep a browser from doing with an answer what it
// was not meant for. A page sets a policy of its own.
func (a *api) secured(next http.Handler) http.Handler {
	payment := ""
	if a.atStripe() {
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
		if a.https {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		next.ServeHTTP(w, r)
	})
}

// atStripe tells whether cards are paid with at Stripe itself.
func (a *api) atStripe() bool {
	return a.Settings.Stripe.PublishableKey != "" && !a.Settings.Stripe.Sandbox
}

// contentPolicy is what the client's page may load, and from where. Of scripts
// written into the page only these run, each named by its hash.
func (a *api) contentPolicy(inline ...string) string {
	scripts, connects, frames := append([]string{"'self'"}, inline...), []string{"'self'"}, []string{"'none'"}
	if len(a.origins) > 0 && a.PublicURL != "" { // older browsers do not take 'self' for sockets
		connects = append(connects, "ws"+strings.TrimPrefix(a.origins[0], "http"))
	}
	if host := originOf(a.Settings.ImageHost.URL); host != "" && !slices.Contains(a.origins, host) {
		connects = append(connects, host)
	}
	if a.atStripe() {
		scripts = append(scripts, stripeScripts)
		connects = append(connects, stripeConnects)
		frames = []string{stripeFrames}
	}
	return strings.Join([]string{
		"default-src 'none'",
		"script-src " + strings.Join(scripts, " "),
		"style-src 'self'",
		"font-src 'self'",
		"img-src 'self' data: blob: http: https:", // sellers may name a picture anywhere
		"connect-src " + strings.Join(connects, " "),
		"frame-src " + strings.Join(frames, " "),
		"form-action 'self'",
		"base-uri 'none'",
		"frame-ancestors 'none'",
		"manifest-src 'self'",
	}, "; ")
}

func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
