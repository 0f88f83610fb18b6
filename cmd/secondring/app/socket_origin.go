package app

import (
	"net/http"
	"net/url"
	"strings"
)

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
