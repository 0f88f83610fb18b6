package server

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// crossOrigin allows the pages of ALLOWED_ORIGINS to make calls with a bearer. Those on the
// same site as PUBLIC_URL may use the session cookie too, and so sign users in. Browsers do
// not send the cookie from other sites.
func (s *server) crossOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, origin := w.Header(), r.Header.Get("Origin")
		allowed := origin != "" && slices.Contains(s.origins, origin)
		if allowed {
			h.Set("Access-Control-Allow-Origin", origin)
			if slices.Contains(s.neighbours, origin) {
				h.Set("Access-Control-Allow-Credentials", "true")
			}
			h.Set("Access-Control-Expose-Headers", "ETag, Link, Live-Position, Retry-After, X-Left-Out, X-Request-Id, X-Searched, X-Total-Count, X-Unread-Count")
		}
		if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
			next.ServeHTTP(w, r)
			return
		}
		if allowed {
			h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE")
			h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, If-None-Match")
			h.Set("Access-Control-Max-Age", "600")
		}
		w.WriteHeader(http.StatusNoContent)
	})
}

// neighboursOf returns the origins on the same site as public.
func neighboursOf(public *url.URL, origins []string) []string {
	var found []string
	for _, origin := range origins {
		u, err := url.Parse(origin)
		if err == nil && u.Scheme == public.Scheme && siteOf(u.Hostname()) == siteOf(public.Hostname()) {
			found = append(found, origin)
		}
	}
	return found
}

// siteOf returns the registrable domain of a host, as browsers define it; for an IP address
// or a name such as localhost the host itself.
func siteOf(host string) string {
	host = strings.ToLower(host)
	if net.ParseIP(host) != nil {
		return host
	}
	if site, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return site
	}
	return host
}
