package server

import (
	"context"
	"net/http"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"secondring/api/rest"
	"secondring/market"
)

// How long a call may take. The market's cascades count on no call that changes
// it lasting 40 s; an upload changes nothing there.
const (
	callTime   = 15 * time.Second
	uploadTime = 50 * time.Second // 10 MB from a phone on a slow line
)

// call is one row of the table at work: credentials, rate, time, answer.
func (s *server) call(c rest.Route) http.Handler {
	limit := callTime
	if c.Form != nil { // the image host has bounds of its own
		limit = uploadTime
	} else if !c.Unlimited {
		c.Handle = s.limitConcurrency(c)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		admitted, err := s.admit(r, c)
		cachePolicy(w, c.Access, err != nil || hasActor(admitted))
		if s.overLimit(w, admitted, c) {
			return
		}
		if err != nil {
			if c.Access != rest.Cookie {
				w.Header().Set("WWW-Authenticate", "Bearer")
			}
			if market.CodeOf(err) == rest.CodeTooFast {
				w.Header().Set("Retry-After", "1")
			}
			s.fail(w, r, err)
			return
		}
		if c.Body != nil || c.Form != nil {
			// Not every connection can; the server's own limits stand there.
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(limit))
		}
		s.answer(w, admitted, c, limit)
	})
}

func (s *server) answer(w http.ResponseWriter, r *http.Request, c rest.Route, limit time.Duration) {
	ctx, cancel := context.WithTimeout(r.Context(), limit)
	defer cancel()
	r = r.WithContext(ctx)
	if err := c.Handle(w, r); err != nil {
		s.fail(w, r, err)
	}
}

func hasActor(r *http.Request) bool {
	_, ok := rest.Actor(r.Context())
	return ok
}

// cachePolicy keeps answers to a person out of shared caches, and has every
// cached one confirmed before it is used. A call may say otherwise. personal says
// that the answer is for whoever sent these credentials.
func cachePolicy(w http.ResponseWriter, access rest.Access, personal bool) {
	policy := "no-cache"
	switch access {
	case rest.Bearer, rest.Optional:
		w.Header().Add("Vary", "Authorization, Cookie")
		if access != rest.Optional || personal {
			policy = "private, no-cache"
		}
	case rest.Cookie:
		policy = "private, no-store"
	case rest.Anyone:
	}
	w.Header().Set("Cache-Control", policy)
}

func compressor() (func(http.Handler) http.Handler, error) {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.MinSize(rest.MinGzip),
		gzhttp.CompressionLevel(1), // lists are large and made anew: speed matters
		gzhttp.SuffixETag(rest.GzipMark),
		gzhttp.ContentTypes([]string{"application/json", "text/html", "text/css", "text/plain"}),
		gzhttp.KeepAcceptRanges(),
	)
	if err != nil {
		return nil, err
	}
	return func(next http.Handler) http.Handler { return wrap(next) }, nil
}
