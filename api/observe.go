package api

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/go-chi/chi/v5/middleware"

	"secondring/api/rest"
)

// observed gives each request an id, and logs and counts how it ended: by the
// call's pattern, for a path or a query may hold an e-mail address or a token.
// Sockets go past it, so that nothing of a request stays with an open one.
func (a *api) observed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == livePath {
			next.ServeHTTP(w, r)
			return
		}
		start, id := time.Now(), a.ids.next()
		w.Header().Set(requestIDHeader, id)
		seen := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		next.ServeHTTP(seen, r.WithContext(rest.WithRequestID(r.Context(), id)))
		route, status, took := rest.Route(r), seen.Status(), time.Since(start)
		if route == "" || status == http.StatusNotFound && strings.HasSuffix(route, "*") {
			route = "unmatched"
		}
		if status == 0 {
			status = http.StatusOK
		}
		a.metrics.count(r.Method, route, status, took)
		a.logCall(r, logged{
			id: id, route: route, status: status, size: seen.BytesWritten(), took: took, address: rest.Address(r.Context()),
		})
	})
}

// logged is what the log says of a call.
type logged struct {
	id, route    string
	status, size int
	took         time.Duration
	address      string
}

// logCall writes a call's line.
func (a *api) logCall(r *http.Request, c logged) {
	handler, level := a.Log.Handler(), levelOf(c.route, c.status)
	if !handler.Enabled(r.Context(), level) {
		return
	}
	line := slog.NewRecord(time.Now(), level, "call", 0)
	line.AddAttrs(
		slog.String("id", c.id), slog.String("method", r.Method), slog.String("route", c.route),
		slog.Int("status", c.status), slog.Int("bytes", c.size),
		slog.Duration("took", c.took), slog.String("address", c.address))
	_ = handler.Handle(r.Context(), line)
}

// levelOf keeps files and probes out of a log at the usual level.
func levelOf(route string, status int) slog.Level {
	switch {
	case status >= http.StatusInternalServerError:
		return slog.LevelWarn
	case strings.HasSuffix(route, "/*"), route == "/healthz", route == "/readyz", route == "/metrics":
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// recovered turns a panic into a 500 that tells nothing of it.
func (a *api) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			fault := recover()
			if fault == nil {
				return
			}
			if fault == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so too
				panic(fault)
			}
			a.fail(w, r, panicked{fault, debug.Stack()})
			if seen, ok := w.(middleware.WrapResponseWriter); ok && seen.Status() != http.StatusInternalServerError {
				panic(http.ErrAbortHandler) // half an answer is out: cut it rather than end it well
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// panicked is a panic on its way to the log.
type panicked struct {
	fault any
	stack []byte
}

func (p panicked) Error() string { return "panic" }

// LogValue says what happened, and where.
func (p panicked) LogValue() slog.Value {
	return slog.GroupValue(slog.Any("panic", p.fault), slog.String("stack", string(p.stack)))
}
