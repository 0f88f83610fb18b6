package api

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
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
			a.handshakes.serve(next, w, r)
			return
		}
		start, id := time.Now(), a.idOf(r)
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
		logged{id: id, size: seen.BytesWritten(), at: start.Add(took), took: took, address: rest.Address(r.Context())}.
			log(r.Context(), a.lineOf(r.Context(), r.Method, route, status), levelOf(route, status))
	})
}

// logged is what the log says of one call, beside what is said of many alike.
type logged struct {
	id, address string
	size        int
	at          time.Time
	took        time.Duration
}

// lineOf is where the lines of calls go that end alike; nil where the log wants
// none of them.
func (a *api) lineOf(ctx context.Context, method, route string, status int) slog.Handler {
	handler := a.Log.Handler()
	if !handler.Enabled(ctx, levelOf(route, status)) {
		return nil
	}
	return handler.WithAttrs([]slog.Attr{
		slog.String("method", method), slog.String("route", route), slog.Int("status", status),
	})
}

// log writes a call's line, before the call ends: what was answered is in the
// log, whatever happens then.
func (c logged) log(ctx context.Context, to slog.Handler, level slog.Level) {
	if to == nil {
		return
	}
	line := slog.NewRecord(c.at, level, "call", 0)
	line.AddAttrs(slog.String("id", c.id), slog.Int("bytes", c.size), slog.Duration("took", c.took), slog.String("network", networkOf(c.address)))
	_ = to.Handle(ctx, line)
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
