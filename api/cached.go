package api

import (
	"context"
	"net/http"

	"secondring/api/rest"
)

// Limits of the cache of responses.
const (
	maxResponses = 512
	maxCachedURI = 512 // bytes
)

// cached returns the cached response to a request, or makes it. The response is the same
// for all readers of that kind, and depends on the subjects (see package cache).
func (h handlers) cached(
	r *http.Request, reader string, subjects []string, read func(ctx context.Context) (*rest.Response, error),
) (*rest.Response, error) {
	if len(r.RequestURI) > maxCachedURI {
		return read(r.Context())
	}
	return h.responses.Load(r.Context(), reader+" "+r.RequestURI, subjects, read)
}
