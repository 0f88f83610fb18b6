package api

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/httprate"
	"github.com/prometheus/client_golang/prometheus"

	"secondring/api/rest"
	"secondring/market"
)

// replay is what a call's whole way has said beside the body, for the short way
// to say again.
type replay struct {
	head    []field // but for what depends on the request
	route   string
	visitor bool // whoever calls reads as a visitor does
	screen  bool // a browser's navigation may mean a screen by this address
	took    prometheus.Observer
	ok, not replayed
	heads   [forms]func() []byte // what the answer begins with, in its bytes
}

// replayed is how one way of answering is counted and logged.
type replayed struct {
	count prometheus.Counter
	line  slog.Handler
}

// replayOf takes down what has been said to r until now.
func (a *api) replayOf(h http.Header, r *http.Request) *replay {
	route := rest.Route(r)
	seen := &replay{
		route: route, visitor: a.public[route], screen: a.onScreen(route),
		took: a.metrics.durations.WithLabelValues(http.MethodGet, route),
	}
	for status, way := range map[int]*replayed{http.StatusOK: &seen.ok, http.StatusNotModified: &seen.not} {
		way.count = a.metrics.requests.WithLabelValues(http.MethodGet, route, strconv.Itoa(status))
		way.line = a.lineOf(r.Context(), http.MethodGet, route, status)
	}
	for name, value := range h {
		if name != requestIDHeader {
			seen.head = append(seen.head, field{name, []string{strings.Join(value, ", ")}})
		}
	}
	return seen
}

// hot answers a call that was answered before, to one who may see that answer,
// while it is still true: from memory, past router and middlewares. What is out
// of the ordinary goes the whole way.
func (a *api) hot(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || !a.serveHot(w, r) {
			next.ServeHTTP(w, r)
		}
	})
}

func (a *api) serveHot(w http.ResponseWriter, r *http.Request) bool {
	start := time.Now()
	if len(r.Header["Origin"]) > 0 || r.ContentLength != 0 {
		return false
	}
	who, ok := a.knownCaller(r)
	if !ok {
		return false
	}
	kept, at := a.lookFor(r, who)
	if kept == nil {
		return false
	}
	seen := kept.replay.Load()
	if seen == nil || seen.screen && wantsScreen(r) {
		return false
	}
	id, address := a.ids.next(), a.addressOf(r).String()
	status, size := a.replayTo(w, r, kept, at, hotCall{who: who, id: id, address: address})
	took := time.Since(start)
	a.countHot(seen, status, took)
	logged{id: id, size: size, took: took, address: address}.
		log(r.Context(), a.hotLine(r.Context(), seen, status), levelOf(seen.route, status))
	return true
}

// hotCall is who makes a call on the short way.
type hotCall struct {
	who         *market.Actor // nil for a visitor
	id, address string
}

// replayTo says again what was said before: in its bytes, where the connection
// takes them.
func (a *api) replayTo(w http.ResponseWriter, r *http.Request, kept *answer, at *standpoint, c hotCall) (status, size int) {
	seen, fast := kept.replay.Load(), a.tooFast(w, r, c.who, c.address)
	if on, ok := r.Context().Value(connKey{}).(*conn); ok && !fast && r.ProtoMajor == 1 && r.ProtoMinor == 1 {
		return kept.hand(on, r, seen, at, c.id)
	}
	h := w.Header()
	for _, f := range seen.head {
		h[f.name] = f.value
	}
	h[requestIDHeader] = []string{c.id}
	if fast {
		a.fail(w, r, errTooFast())
		return http.StatusTooManyRequests, 0
	}
	return kept.send(w, r, at)
}

// knownCaller tells who calls: nil for a visitor. Not ok for whom the whole way
// has something to say.
func (a *api) knownCaller(r *http.Request) (*market.Actor, bool) {
	sent := r.Header["Authorization"]
	if len(sent) == 0 {
		return nil, true
	}
	token, bearer := strings.CutPrefix(sent[0], "Bearer ")
	if !bearer || len(sent) > 1 || a.Known == nil {
		return nil, false
	}
	if who, ok := a.Known(token); ok {
		return who, true
	}
	who, _, err := a.Bearer(r.Context(), token)
	return &who, err == nil
}

// lookFor finds the answer for this caller: their own, or that of all who read alike.
func (a *api) lookFor(r *http.Request, who *market.Actor) (*answer, *standpoint) {
	key := answerKey{uri: r.RequestURI, reader: kindVisitor}
	if who != nil {
		key.reader = kindSignedIn
		if strings.HasPrefix(key.uri, "/products?") || strings.HasPrefix(key.uri, "/users/") {
			key.reader = who.User.UID
		}
	}
	kept, at := a.answers.look(r.Context(), key)
	if kept != nil || who == nil {
		return kept, at
	}
	key.reader = kindVisitor
	kept, at = a.answers.look(r.Context(), key)
	if kept == nil {
		return nil, nil
	}
	if seen := kept.replay.Load(); seen == nil || !seen.visitor {
		return nil, nil
	}
	return kept, at
}

// tooFast counts the call, and tells whether there are too many.
func (a *api) tooFast(w http.ResponseWriter, r *http.Request, who *market.Actor, address string) bool {
	if a.limiter == nil {
		return false
	}
	if who != nil {
		return a.limiter.OnLimit(w, r, "account:"+who.User.UID)
	}
	return a.limiter.OnLimit(w, r, "address:"+httprate.CanonicalizeIP(address))
}

func (a *api) countHot(seen *replay, status int, took time.Duration) {
	switch status {
	case http.StatusOK:
		seen.ok.count.Inc()
	case http.StatusNotModified:
		seen.not.count.Inc()
	default:
		a.metrics.count(http.MethodGet, seen.route, status, took)
		return
	}
	seen.took.Observe(took.Seconds())
}

func (a *api) hotLine(ctx context.Context, seen *replay, status int) slog.Handler {
	switch status {
	case http.StatusOK:
		return seen.ok.line
	case http.StatusNotModified:
		return seen.not.line
	}
	return a.lineOf(ctx, http.MethodGet, seen.route, status)
}
