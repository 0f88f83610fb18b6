package api

import (
	"context"
	"maps"
	"net/http"
	"strconv"
	"sync"

	"secondring/api/rest"
)

// gzipLevel is that of responses, which are compressed once for all who get them.
const gzipLevel = 5

// response is an encoded answer to a GET: made once and sent to all who ask for it.
type response struct {
	header  http.Header
	body    []byte
	tag     string        // ETag without its quotes; "" for none
	gzipped func() []byte // the body, compressed when first asked for; nil where that does not pay
}

// newResponse is of an encoded body for a kind of reader. Without a kind it has no
// ETag.
func newResponse(reader string, body []byte) *response {
	a := &response{body: body, header: http.Header{"Content-Type": {"application/json"}}}
	if reader != "" {
		a.tag = rest.Tag(reader, body)
	}
	a.gzipped = sync.OnceValue(func() []byte { return rest.Gzipped(body, gzipLevel) })
	return a
}

// send writes the response, or 304 to a caller who has it.
func (a *response) send(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	maps.Copy(h, a.header)
	body, suffix := a.body, ""
	if rest.AcceptsGzip(r) && a.gzipped() != nil {
		body, suffix = a.gzipped(), rest.GzipMark
		h.Set("Content-Encoding", "gzip")
	}
	if a.tag != "" {
		h.Set("Etag", `"`+a.tag+suffix+`"`)
		if known, ok := rest.Knows(r.Header["If-None-Match"], a.tag); ok {
			h.Set("Etag", known)
			h.Del("Content-Type")
			h.Del("Content-Encoding")
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) // the caller may have gone: nobody is left to tell
}

// Bounds of the cache of responses.
const (
	maxResponses = 512
	maxCachedURI = 512 // bytes
)

// cached returns the response to a request from the cache, or makes it. It is the
// same for all readers of that kind, and depends on the subjects (see package cache).
func (h handlers) cached(
	r *http.Request, reader string, subjects []string, read func(ctx context.Context) (*response, error),
) (*response, error) {
	if len(r.RequestURI) > maxCachedURI {
		return read(r.Context())
	}
	return h.responses.Load(r.Context(), reader+" "+r.RequestURI, subjects, read)
}
