package app

import (
	"log"
	"log/slog"

	"secondring/api"
	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/settings"
)

// clientSettings is what every browser is told.
func clientSettings(s settings.Settings, google bool) api.Settings {
	told := api.Settings{
		Product: Product, Google: google, Advertise: s.Rules.Advertise,
		Stripe:    api.Stripe{Sandbox: true},
		ImageHost: api.ImageHost{URL: "/images"},
		Contact:   api.Contact{Email: s.Contact.Email, Phone: s.Contact.Phone, Location: s.Contact.Location},
	}
	if s.ImageHostURL != "" {
		told.ImageHost = api.ImageHost{URL: s.ImageHostURL, Key: s.ImageHostKey}
	}
	if s.Demo {
		for _, l := range demo.Logins() {
			told.DemoLogins = append(told.DemoLogins, api.DemoLogin{Role: l.Role, Email: l.Email, Password: l.Password})
		}
	}
	return told
}

// quietLog takes net/http's own complaints (callers that hang up in the middle
// of a handshake) at the level they deserve.
func quietLog(l *slog.Logger) *log.Logger {
	return slog.NewLogLogger(l.Handler(), slog.LevelDebug)
}
