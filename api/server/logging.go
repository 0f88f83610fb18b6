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

// observed gives each request an ID and its caller's address. After the request it logs and
// counts it by its route's pattern, because a path or a query may contain an email address
// or a token. A socket's request is not wrapped, so that its memory is free while the
// socket is open.
func (s *server) observed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address := s.addressOf(r).String()
		if r.URL.Path == livePath {
			s.handshakes.serve(next, w, r.WithContext(rest.WithCaller(r.Context(), rest.Caller{Address: address})))
			return
		}
		start, id := time.Now(), s.idOf(r)
		w.Header().Set(requestIDHeader, id)
		seen := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		ctx := rest.WithCaller(r.Context(), rest.Caller{Address: address, RequestID: id, Page: s.ownPage(r)})
		r = r.WithContext(ctx)
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

// The log has the network of an address: enough to find and block the source of a flood,
// too little to identify a person.
const (
	logged4 = 24 // bits of IPv4
	logged6 = 48 // bits of IPv6
)

// networkOf returns the network of an address; "" if it is invalid.
func networkOf(address string) string {
	if dot := strings.LastIndexByte(address, '.'); dot > 0 && !strings.Contains(address, ":") {
		return address[:dot+1] + "0" // the /24 of a formatted address, without parsing it again for each call
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

// levelOf returns the level of a call's log line. It is debug for files and probes, so that
// they are not logged by default.
func levelOf(route string, status int) slog.Level {
	switch {
	case status >= http.StatusInternalServerError:
		return slog.LevelWarn
	case strings.HasSuffix(route, "/*"), route == "/healthz", route == "/readyz", route == "/metrics":
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// recovered sends a 500 after a panic, without its text.
func (s *server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			fault := recover()
			if fault == nil {
				return
			}
			if fault == http.ErrAbortHandler { //nolint:errorlint // net/http compares it in the same way
				panic(fault)
			}
			s.fail(w, r, panicked{fault, debug.Stack()})
			if seen, ok := w.(middleware.WrapResponseWriter); ok && seen.Status() != http.StatusInternalServerError {
				panic(http.ErrAbortHandler) // part of the response was sent: close the connection, so that it does not look complete
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// panicked is the error under which a panic is logged.
type panicked struct {
	fault any
	stack []byte
}

func (p panicked) Error() string { return "panic" }

// LogValue implements slog.LogValuer.
func (p panicked) LogValue() slog.Value {
	return slog.GroupValue(slog.Any("panic", p.fault), slog.String("stack", string(p.stack)))
}
