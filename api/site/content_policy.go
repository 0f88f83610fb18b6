package site

import (
	"net/url"
	"strings"
)

// The sources that Stripe.js needs on a page (docs.stripe.com/security/guide), without the
// maps of its address form, which is not used here. Its frames may come from several hosts
// below js.stripe.com; hooks.stripe.com shows the bank's confirmation (3-D Secure).
const (
	stripeScripts  = "https://js.stripe.com https://*.js.stripe.com"
	stripeFrames   = stripeScripts + " https://hooks.stripe.com"
	stripeConnects = "https://api.stripe.com"
	stripePayment  = `self "https://js.stripe.com" "https://*.js.stripe.com"`
)

// contentPolicy returns the policy of what the client's page may load. Only the inline
// scripts with these hashes may run.
func (s *Site) contentPolicy(inline ...string) string {
	scripts, connects, frames := append([]string{"'self'"}, inline...), []string{"'self'"}, []string{"'none'"}
	if s.PublicURL != "" { // in older browsers 'self' does not include sockets
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
		"img-src 'self' data: blob: http: https:", // sellers may use pictures of any site
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
