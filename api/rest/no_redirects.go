package rest

import (
	"errors"
	"net/http"
)

var errRedirected = errors.New("the response is a redirect, and redirects are not followed")

// NoRedirects returns a copy of a client, or of the default one for nil, that returns an
// error for a redirect. Requests to other services contain keys and codes for one URL only.
// A redirect is an error because a library might read its body as the response.
func NoRedirects(client *http.Client) *http.Client {
	var changed http.Client
	if client != nil {
		changed = *client
	}
	changed.CheckRedirect = func(*http.Request, []*http.Request) error { return errRedirected }
	return &changed
}
