package api

import (
	"context"
	"net/http"
	"runtime"
	"time"

	"golang.org/x/sync/semaphore"

	"secondring/api/rest"
	"secondring/market"
)

// More calls at once than these wait for their turn, and are told to come back
// where that takes too long: whoever is served is served soon, whatever comes in.
const (
	callsAtOnce  = 128 // of one resource, so that a bank that hangs does not stop the bookings
	turnPatience = 2 * time.Second

	// searches are the turns of all searches together. A search takes some
	// hundred times the processor time of another call.
	searches = "searches"
)

// searchesAtOnce leaves at least half of the connections to an embedded store,
// and some processor time, to other calls.
func searchesAtOnce() int64 { return int64(max(2, runtime.GOMAXPROCS(0))) }

// turns bounds how many calls are worked on at the same time. A call has its turn
// from when all of it has come in until its answer begins to go out, so that
// nobody keeps one by being slow.
type turns struct {
	free     *semaphore.Weighted
	patience time.Duration
}

func newTurns(atOnce int64, patience time.Duration) *turns {
	return &turns{free: semaphore.NewWeighted(atOnce), patience: patience}
}

// inTurn has a call wait for its turn: a search among searches, and all else among
// the calls of its resource.
func (a *api) inTurn(c rest.Call) func(w http.ResponseWriter, r *http.Request) error {
	others := a.turnsOf(c.Tag)
	if c.Searches == nil {
		return func(w http.ResponseWriter, r *http.Request) error { return others.serve(w, r, c.Serve) }
	}
	searches := a.turnsOf(searches)
	return func(w http.ResponseWriter, r *http.Request) error {
		if c.Searches(r) {
			return searches.serve(w, r, c.Serve)
		}
		return others.serve(w, r, c.Serve)
	}
}

// turnsOf is shared by the calls of a resource.
func (a *api) turnsOf(tag string) *turns {
	if a.turns[tag] == nil {
		atOnce := int64(callsAtOnce)
		if tag == searches {
			atOnce = searchesAtOnce()
		}
		a.turns[tag] = newTurns(atOnce, turnPatience)
	}
	return a.turns[tag]
}

// take waits for a turn. Its error is 503.
func (t *turns) take(ctx context.Context) error {
	if t.free.TryAcquire(1) {
		return nil
	}
	waits, cancel := context.WithTimeout(ctx, t.patience)
	defer cancel()
	if err := t.free.Acquire(waits, 1); err != nil {
		if gone := ctx.Err(); gone != nil {
			return gone
		}
		return rest.Refuse(market.CodeUnavailable, "Too many people want this at once. Please try again in a moment.")
	}
	return nil
}

// serve gives a call its turn.
func (t *turns) serve(w http.ResponseWriter, r *http.Request, serve func(http.ResponseWriter, *http.Request) error) error {
	if err := rest.TakeBody(w, r); err != nil {
		return err
	}
	if err := t.take(r.Context()); err != nil {
		return err
	}
	on, _ := r.Context().Value(connKey{}).(*conn)
	turn := &turn{ResponseWriter: w, of: t, on: on}
	if on != nil {
		on.served.Store(true)
	}
	defer turn.end()
	return serve(turn, r)
}

// turn ends when the answer begins.
type turn struct {
	http.ResponseWriter
	of   *turns
	on   *conn // nil where it is none of Listen's
	over bool
}

func (t *turn) end() {
	if t.over {
		return
	}
	t.over = true
	t.of.free.Release(1)
	if t.on != nil {
		t.on.since.Store(int64(market.Monotonic()))
		t.on.served.Store(false)
	}
}

// WriteHeader implements http.ResponseWriter.
func (t *turn) WriteHeader(status int) {
	t.end()
	t.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (t *turn) Write(p []byte) (int, error) {
	t.end()
	return t.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (t *turn) Unwrap() http.ResponseWriter { return t.ResponseWriter }
