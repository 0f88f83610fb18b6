package server

import (
	"context"
	"net/http"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"secondring/api/rest"
	"secondring/market"
)

// Timeouts of calls. The market's cascades require that every call that changes the market
// ends within 40 s; an upload does not change it.
const (
	callTime   = 15 * time.Second
	uploadTime = 50 * time.Second // 10 MB from a phone with a slow connection
)

// handlerOf returns the handler of a route: time limit, credentials, rate limits, limit of
// concurrent calls, then the route's own handler.
func (s *server) handlerOf(route rest.Route) http.Handler {
	limit := callTime
	if route.Form != nil { // the image host has its own limits
		limit = uploadTime
	} else if !route.Unlimited {
		route.Handle = s.limitConcurrency(route)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), limit)
		defer cancel()
		ctx, err := s.admit(ctx, r, route)
		r = r.WithContext(ctx)
		cachePolicy(w, route.Access, err != nil || hasActor(ctx))
		if s.overLimit(w, r, route) {
			return
		}
		if err != nil {
			s.failCredentials(w, r, route, err)
			return
		}
		if s.overProviderLimit(w, r, route) {
			return
		}
		if route.Form != nil {
			r.Body = upload{r.Body, connOf(r)}
			defer connOf(r).set(waiting)
		}
		if route.Body != nil || route.Form != nil {
			// Not every connection supports deadlines; the server's own timeouts apply to
			// those.
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(limit))
		}
		if err := route.Handle(w, r); err != nil {
			s.fail(w, r, err)
		}
	})
}

// failCredentials sends the error of a call whose credentials were refused.
func (s *server) failCredentials(w http.ResponseWriter, r *http.Request, route rest.Route, err error) {
	if route.Access != rest.Cookie {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	if market.CodeOf(err) == rest.CodeTooFast {
		w.Header().Set("Retry-After", "1")
	}
	s.fail(w, r, err)
}

func hasActor(ctx context.Context) bool {
	_, ok := rest.Actor(ctx)
	return ok
}

// cachePolicy excludes personal responses from shared caches, and makes caches validate
// every response before they use it. A handler may set another policy. personal is true if
// the response depends on the credentials.
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
		gzhttp.CompressionLevel(1), // lists are large and encoded for each call, so speed matters
		gzhttp.SuffixETag(rest.GzipMark),
		gzhttp.ContentTypes([]string{"application/json", "text/html", "text/css", "text/plain"}),
		gzhttp.KeepAcceptRanges(),
	)
	if err != nil {
		return nil, err
	}
	return func(next http.Handler) http.Handler { return wrap(next) }, nil
}
