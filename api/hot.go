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

// asked is what a call asks for, and how: all that the short way looks at.
type asked struct {
	uri   string
	token string   // of the bearer; "" for a visitor
	tags  []string // If-None-Match
	packs bool     // whether gzip is taken
	via   []string // X-Forwarded-For
}

// hotCall is a call on the short way.
type hotCall struct {
	asked

	who         *market.Actor // nil for a visitor
	id, address string
}

// hot answers a call that was answered before, to one who may see that answer,
// while it is still true: from memory, past router and middlewares. What is out
// of the ordinary goes the whole way.
func (a *api) hot(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		on, _ := r.Context().Value(connKey{}).(*conn)
		if on != nil {
			on.stream.handled(r.ContentLength)
		}
		if r.Method != http.MethodGet || !a.serveHot(w, r, on) {
			next.ServeHTTP(w, r)
		}
	})
}

func (a *api) serveHot(w http.ResponseWriter, r *http.Request, on *conn) bool {
	start := time.Now()
	q, ok := askedBy(r)
	if !ok || !a.servesHost(r.Host) {
		return false
	}
	if q.token == "" && a.HasSession(r) { // whose it is has to be looked up
		return false
	}
	c := hotCall{asked: q}
	if c.who, ok = a.knownCaller(r, q.token); !ok {
		return false
	}
	kept, at := a.lookFor(r.Context(), q.uri, c.who)
	if kept == nil {
		return false
	}
	seen := kept.replay.Load()
	if seen == nil || seen.screen && wantsScreen(r) {
		return false
	}
	c.id, c.address = a.idOf(r), a.addressOf(r).String()
	status, size := a.replayTo(w, r, on, c, kept, at)
	a.noteHot(r.Context(), seen, c, status, size, start)
	return true
}

// askedBy is what a call asks for; not ok where there is more to it.
func askedBy(r *http.Request) (q asked, ok bool) {
	if len(r.Header["Origin"]) > 0 || r.ContentLength != 0 {
		return q, false
	}
	q = asked{uri: r.RequestURI, tags: r.Header["If-None-Match"], packs: takesGzip(r), via: r.Header["X-Forwarded-For"]}
	sent := r.Header["Authorization"]
	if len(sent) == 0 {
		return q, true
	}
	if bearerSent(r) == "" { // says that it has no token: the session cookie may count
		return q, false
	}
	q.token, ok = strings.CutPrefix(sent[0], "Bearer ")
	return q, ok && len(sent) == 1 && q.token != ""
}

// replayTo says again what was said before: in its bytes, where the connection
// takes them.
func (a *api) replayTo(w http.ResponseWriter, r *http.Request, on *conn, c hotCall, kept *answer, at *standpoint) (status, size int) {
	seen, fast := kept.replay.Load(), a.tooFast(w, r, c.who, c.address)
	if on != nil && !fast && r.ProtoMajor == 1 && r.ProtoMinor == 1 {
		a.learn(on, r, c.asked)
		return kept.hand(on, c, seen, at)
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
	return kept.send(w, c.asked, at)
}

// knownCaller tells who calls: nil for a visitor. Not ok for whom the whole way
// has something to say.
func (a *api) knownCaller(r *http.Request, token string) (*market.Actor, bool) {
	if token == "" {
		return nil, true
	}
	if a.Known == nil {
		return nil, false
	}
	if who, ok := a.Known(token); ok {
		return who, true
	}
	var who market.Actor
	err := a.failed.lookUp(r.Context(), a.addressOf(r).String(), func(ctx context.Context) (err error) {
		who, _, err = a.Bearer(ctx, token)
		return err
	})
	return &who, err == nil
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

// noteHot counts and logs a call.
func (a *api) noteHot(ctx context.Context, seen *replay, c hotCall, status, size int, start time.Time) {
	took := time.Since(start)
	a.countHot(seen, status, took)
	logged{id: c.id, size: size, at: start.Add(took), took: took, address: c.address}.
		log(ctx, a.hotLine(ctx, seen, status), levelOf(seen.route, status))
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
