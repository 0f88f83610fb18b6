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

// clientSettings is the content of GET /config.
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

// demoContact fills what the settings leave empty, so that the demo's contact
// screen has something to show.
func demoContact(c site.Contact) site.Contact {
	return site.Contact{
		Email: cmp.Or(c.Email, "hello@example.com"), Phone: cmp.Or(c.Phone, "+880 2 5550 0142"), Location: c.Location,
	}
}

// joined merges handlers by their paths.
func joined(all ...map[string]http.Handler) map[string]http.Handler {
	one := map[string]http.Handler{}
	for _, some := range all {
		maps.Copy(one, some)
	}
	return one
}

// ownPages allows sockets of pages that were loaded from this address, even if
// PUBLIC_URL is another: their origin is the request's host. If PUBLIC_URL is https, an
// http page of that host is foreign, because an attacker on the network can have written
// it. Package api does the same for calls.
func ownPages(public *url.URL, live http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if named := r.Header["Origin"]; len(named) == 1 && isOwnPage(named[0], r.Host, public.Scheme) {
			r.Header.Del("Origin")
		}
		live.ServeHTTP(w, r)
	})
}

// isOwnPage tells whether an origin is the host that is asked. scheme is
// PUBLIC_URL's.
func isOwnPage(named, host, scheme string) bool {
	origin, err := url.Parse(named)
	if err != nil || origin.Host == "" || !strings.EqualFold(origin.Host, host) {
		return false
	}
	return origin.Scheme == "https" || (origin.Scheme == "http" && scheme != "https")
}

// quietLog logs net/http's own errors, such as a broken TLS handshake, at debug level.
func quietLog(l *slog.Logger) *log.Logger {
	return slog.NewLogLogger(l.Handler(), slog.LevelDebug)
}
