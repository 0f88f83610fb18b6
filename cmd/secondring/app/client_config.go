package app

import (
	"cmp"
	"log"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"secondring/api/site"
	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/settings"
)

// clientSettings returns the content of GET /config.
func clientSettings(s settings.Settings, google bool, email emailSetup, stripe site.Stripe) site.Settings {
	config := site.Settings{
		Product: Product, Google: google, Mail: email.queue != nil, Mailbox: email.mailbox, VerifyEmail: s.Rules.VerifyEmail, Advertise: s.Rules.Advertise,
		Payouts:      s.Rules.Payouts,
		Turn:         int(s.Rules.TurnHold.Seconds()),
		Stripe:       stripe,
		ImageHost:    site.ImageHost{URL: "/images"},
		Contact:      site.Contact{Email: s.Contact.Email, Phone: s.Contact.Phone, Location: s.Contact.Location},
		VerifiedText: s.VerifiedText,
	}
	if s.ImageHostURL != "" {
		config.ImageHost = site.ImageHost{URL: s.ImageHostURL, Key: s.ImageHostKey}
	}
	if s.Demo {
		config.Contact = demoContact(config.Contact)
		for _, l := range demo.Logins() {
			config.DemoLogins = append(config.DemoLogins, site.DemoLogin{Role: l.Role, Email: l.Email, Password: l.Password})
		}
	}
	return config
}

// demoContact returns a contact with example values for an empty email address and phone, for
// the contact screen of a demo.
func demoContact(c site.Contact) site.Contact {
	return site.Contact{
		Email: cmp.Or(c.Email, "hello@example.com"), Phone: cmp.Or(c.Phone, "+880 2 5550 0142"), Location: c.Location,
	}
}

// mergeHandlers merges maps of handlers by path.
func mergeHandlers(byPath ...map[string]http.Handler) map[string]http.Handler {
	merged := map[string]http.Handler{}
	for _, handlers := range byPath {
		maps.Copy(merged, handlers)
	}
	return merged
}

// allowSameOrigin allows sockets of pages whose origin is the host of the request, even if
// PUBLIC_URL has another host. If PUBLIC_URL is https, it does not allow an http page of that
// host, because an attacker on the network can have written it. Package api does the same for calls.
func allowSameOrigin(public *url.URL, live http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if origins := r.Header["Origin"]; len(origins) == 1 && isSameOrigin(origins[0], r.Host, public.Scheme) {
			r.Header.Del("Origin")
		}
		live.ServeHTTP(w, r)
	})
}

// isSameOrigin returns whether an origin is that of the request's host. scheme is the scheme
// of PUBLIC_URL.
func isSameOrigin(value, host, scheme string) bool {
	origin, err := url.Parse(value)
	if err != nil || origin.Host == "" || !strings.EqualFold(origin.Host, host) {
		return false
	}
	return origin.Scheme == "https" || (origin.Scheme == "http" && scheme != "https")
}

// debugLog returns a logger that logs net/http's own errors, such as a broken TLS handshake, at debug level.
func debugLog(l *slog.Logger) *log.Logger {
	return slog.NewLogLogger(l.Handler(), slog.LevelDebug)
}
