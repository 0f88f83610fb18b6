package rest

import (
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"

	"secondring/market/texts"
)

// PathValue returns a parameter of the route's path, unescaped; "" if it is not valid
// UTF-8, because no ID is.
func PathValue(r *http.Request, name string) string {
	value := chi.URLParam(r, name)
	if r.URL.RawPath != "" { // then chi has matched the escaped path
		unescaped, err := url.PathUnescape(value)
		if err != nil {
			return ""
		}
		value = unescaped
	}
	if !utf8.ValidString(value) {
		return ""
	}
	return value
}

// QueryValue returns a query parameter; "" if it was not sent or is not valid UTF-8.
func QueryValue(r *http.Request, name string) string {
	value := r.URL.Query().Get(name)
	if !utf8.ValidString(value) {
		return ""
	}
	return value
}

// EmailValue returns a query parameter that is an email address, cleaned. A plus that the caller has
// not escaped arrives as a blank, so a blank inside is a plus.
func EmailValue(r *http.Request, name string) string {
	return texts.CleanEmail(strings.ReplaceAll(strings.TrimSpace(QueryValue(r, name)), " ", "+"))
}

// RoutePattern returns the pattern of the route being served. Unlike the path it contains
// no email address.
func RoutePattern(r *http.Request) string {
	if route := chi.RouteContext(r.Context()); route != nil {
		return route.RoutePattern()
	}
	return ""
}
