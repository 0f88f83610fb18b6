package server

import (
	"context"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

// refusedLines is how many refused handshakes are logged in a second.
const refusedLines = 10

// handshakes logs the refused handshakes of GET /live. An open socket is not logged.
type handshakes struct {
	log     *slog.Logger
	lines   *rest.MemoryCounter
	leftOut atomic.Int64 // refused handshakes since the last log line that were not logged
}

func newHandshakes(log *slog.Logger) *handshakes {
	return &handshakes{log: log, lines: rest.NewMemoryCounter(market.SystemClock{})}
}

// serve serves a handshake and logs it if it is refused.
func (h *handshakes) serve(next http.Handler, w http.ResponseWriter, r *http.Request) {
	seen := &statusWriter{ResponseWriter: w}
	next.ServeHTTP(seen, r)
	if seen.status >= http.StatusBadRequest {
		h.refused(r.Context(), seen.status)
	}
}

func (h *handshakes) refused(ctx context.Context, status int) {
	if lines, _, _ := h.lines.Count(ctx, "refused", time.Second, 1); lines > refusedLines { // it never fails
		h.leftOut.Add(1)
		return
	}
	h.log.InfoContext(ctx, "handshake refused", "route", livePath, "status", status, "reason", refusedFor(status),
		"network", networkOf(rest.Address(ctx)), "leftOut", h.leftOut.Swap(0))
}

// refusedFor returns the reason for a handshake's status.
func refusedFor(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "bad token"
	case http.StatusForbidden:
		return "foreign origin"
	case http.StatusMisdirectedRequest:
		return "foreign host"
	case http.StatusServiceUnavailable:
		return "no sockets are taken now"
	case http.StatusTooManyRequests:
		return "too many sockets"
	}
	return "not a WebSocket handshake"
}

// statusWriter records the status of a response.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
