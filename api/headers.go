package api

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

// secured sets the headers that keep a browser from doing with an answer what it
// was not meant for.
func (a *api) secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), browsing-topics=()")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Content-Security-Policy", dataPolicy)
		if a.https {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if a.mounted(r.URL.Path) {
			h.Del("Content-Security-Policy") // a page of its own has a policy of its own
		}
		next.ServeHTTP(w, r)
	})
}

func (a *api) mounted(path string) bool {
	for mount := range a.Mounts {
		if path == mount || strings.HasPrefix(path, mount+"/") {
			return true
		}
	}
	return false
}

// contentPolicy is what the client's page may load, and from where.
func (a *api) contentPolicy() string {
	scripts, connects, frames := []string{"'self'"}, []string{"'self'"}, []string{"'none'"}
	if len(a.origins) > 0 && a.PublicURL != "" { // older browsers do not take 'self' for sockets
		connects = append(connects, "ws"+strings.TrimPrefix(a.origins[0], "http"))
	}
	if host := originOf(a.Settings.ImageHost.URL); host != "" && !slices.Contains(a.origins, host) {
		connects = append(connects, host)
	}
	if a.Settings.Stripe.PublishableKey != "" && !a.Settings.Stripe.Sandbox {
		scripts = append(scripts, "https://js.stripe.com")
		connects = append(connects, "https://api.stripe.com")
		frames = []string{"https://js.stripe.com", "https://hooks.stripe.com"}
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
