package site

import (
	"net/url"
	"strings"
)

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

// contentPolicy is what the client's page may load, and from where. Of scripts
// written into the page only these run, each named by its hash.
func (s *Site) contentPolicy(inline ...string) string {
	scripts, connects, frames := append([]string{"'self'"}, inline...), []string{"'self'"}, []string{"'none'"}
	if s.PublicURL != "" { // older browsers do not take 'self' for sockets
		connects = append(connects, "ws"+strings.TrimPrefix(s.PublicURL, "http"))
	}
	if host := originOf(s.Settings.ImageHost.URL); host != "" && host != s.PublicURL {
		connects = append(connects, host)
	}
	if s.Settings.AtStripe() {
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
