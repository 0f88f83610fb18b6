package server

import (
	"context"
	"net/http"
	"runtime"
	"time"

	"golang.org/x/sync/semaphore"

	"secondring/api/rest"
	"secondring/market"
)

// Calls above these limits wait. Those that wait too long get 503, so that the others are
// served quickly under any load.
const (
	maxCalls    = 128 // calls of one resource, so that slow payments do not block bookings
	maxWaitTime = 2 * time.Second

	// searches is the group of all searches. A search takes about a hundred times the
	// processor time of another call.
	searches = "searches"
)

// maxSearches leaves at least half of the connections to an embedded store, and some
// processor time, to other calls.
func maxSearches() int64 { return int64(max(2, runtime.GOMAXPROCS(0))) }

// concurrency limits how many calls of a group are served at the same time. A call counts
// from the end of its body to the first byte of its response, so that slow clients do not
// use up the limit.
type concurrency struct {
	calls    *semaphore.Weighted
	waitTime time.Duration
}

func newConcurrency(limit int64, waitTime time.Duration) *concurrency {
	return &concurrency{calls: semaphore.NewWeighted(limit), waitTime: waitTime}
}

// limitConcurrency returns the handler of a call with its limit: that of searches, or that
// of its resource.
func (s *server) limitConcurrency(route rest.Route) func(w http.ResponseWriter, r *http.Request) error {
	others := s.concurrencyOf(route.Tag)
	if route.IsSearch == nil {
		return func(w http.ResponseWriter, r *http.Request) error { return others.serve(w, r, route.Handle) }
	}
	searching := s.concurrencyOf(searches)
	return func(w http.ResponseWriter, r *http.Request) error {
		if route.IsSearch(r) {
			return searching.serve(w, r, route.Handle)
		}
		return others.serve(w, r, route.Handle)
	}
}

// concurrencyOf returns the limit of a group; the calls of a resource share one.
func (s *server) concurrencyOf(group string) *concurrency {
	if s.concurrency[group] == nil {
		limit := int64(maxCalls)
		if group == searches {
			limit = maxSearches()
		}
		s.concurrency[group] = newConcurrency(limit, maxWaitTime)
	}
	return s.concurrency[group]
}

// acquire waits until the call may be served. It returns 503 after too long a wait.
func (c *concurrency) acquire(ctx context.Context) error {
	if c.calls.TryAcquire(1) {
		return nil
	}
	waiting, cancel := context.WithTimeout(ctx, c.waitTime)
	defer cancel()
	if err := c.calls.Acquire(waiting, 1); err != nil {
		if err := ctx.Err(); err != nil {
			return err
		}
		return rest.NewError(market.CodeUnavailable, "The server is busy. Please try again in a moment.")
	}
	return nil
}

// serve calls handle within the limit.
func (c *concurrency) serve(w http.ResponseWriter, r *http.Request, handle func(http.ResponseWriter, *http.Request) error) error {
	if err := rest.BufferBody(w, r); err != nil {
		return err
	}
	if err := c.acquire(r.Context()); err != nil {
		return err
	}
	limited := &limitedWriter{ResponseWriter: w, bound: c, conn: connOf(r)}
	limited.conn.set(served)
	defer limited.release()
	return handle(limited, r)
}

// limitedWriter releases the slot when the response begins.
type limitedWriter struct {
	http.ResponseWriter
	bound    *concurrency
	conn     *limitedConn // nil if connections are not limited
	released bool
}

func (w *limitedWriter) release() {
	if w.released {
		return
	}
	w.released = true
	w.bound.calls.Release(1)
	w.conn.set(waiting)
}

// WriteHeader implements http.ResponseWriter.
func (w *limitedWriter) WriteHeader(status int) {
	w.release()
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *limitedWriter) Write(p []byte) (int, error) {
	w.release()
	return w.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (w *limitedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
