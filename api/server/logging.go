package server

import (
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"time"

	"github.com/go-chi/chi/v5/middleware"

	"secondring/api/rest"
)

// observed gives each request an id and its caller's address, and logs and counts how
// it ended: by the call's pattern, for a path or a query may hold an e-mail address or
// a token. Sockets go past it, so that nothing of a request stays with an open one.
func (s *server) observed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address := s.addressOf(r).String()
		ctx := rest.WithAddress(r.Context(), address)
		if r.URL.Path == livePath {
			s.handshakes.serve(next, w, r.WithContext(ctx))
			return
		}
		start, id := time.Now(), s.idOf(r)
		w.Header().Set(requestIDHeader, id)
		seen := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		r = r.WithContext(rest.WithRequestID(ctx, id))
		next.ServeHTTP(seen, r)
		route, status, took := rest.RoutePattern(r), seen.Status(), time.Since(start)
		if route == "" || status == http.StatusNotFound && strings.HasSuffix(route, "*") {
			route = "unmatched"
		}
		if status == 0 {
			status = http.StatusOK
		}
		s.metrics.count(r.Method, route, status, took)
		s.Log.LogAttrs(ctx, levelOf(route, status), "call",
			slog.String("method", r.Method), slog.String("route", route), slog.Int("status", status), slog.String("id", id),
			slog.Int("bytes", seen.BytesWritten()), slog.Duration("took", took), slog.String("network", networkOf(address)))
	})
}

// Of an address the log has the network: enough to see where a flood comes from
// and to shut it out, too little to point at somebody.
const (
	logged4 = 24 // bits of IPv4
	logged6 = 48 // bits of IPv6
)

// networkOf leaves out whose address of its network it is.
func networkOf(address string) string {
	if dot := strings.LastIndexByte(address, '.'); dot > 0 && !strings.Contains(address, ":") {
		return address[:dot+1] + "0" // /24 of what netip has written: with no parsing, for it is in each call's way
	}
	at, err := netip.ParseAddr(address)
	if err != nil {
		return ""
	}
	bits := logged6
	if at = at.Unmap().WithZone(""); at.Is4() {
		bits = logged4
	}
	network, err := at.Prefix(bits)
	if err != nil {
		return ""
	}
	return network.Addr().String()
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
func (s *server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			fault := recover()
			if fault == nil {
				return
			}
			if fault == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so too
				panic(fault)
			}
			s.fail(w, r, panicked{fault, debug.Stack()})
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
