package api

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"

	"secondring/market"
)

// together has those who ask for the same at the same time share one reading of
// it: all screens of a brand do so when live updates were away. Whoever comes
// while it is being read shares the next reading, which begins after they came.
// So nobody is told what was true only before they asked.
type together struct {
	mu sync.Mutex
	// next is, of all that is being read, the reading to come; nil where nobody
	// waits for one.
	next map[string]*reading
}

func newTogether() *together { return &together{next: map[string]*reading{}} }

// reading is one for all who wait for it.
type reading struct {
	ctx   context.Context // of the first who waits, without its end
	read  func(ctx context.Context) (any, error)
	done  chan struct{} // closed when the rest is set
	value any
	err   error
}

// read returns what read does, or did for all who came at the same time.
func (t *together) read(ctx context.Context, key string, read func(ctx context.Context) (any, error)) (any, error) {
	t.mu.Lock()
	r, busy := t.next[key]
	if r == nil {
		r = &reading{ctx: context.WithoutCancel(ctx), read: read, done: make(chan struct{})}
		t.next[key] = r
	}
	if !busy {
		t.next[key] = nil
		go t.run(key, r) //nolint:contextcheck // it goes on when the first who wants it has had enough
	}
	t.mu.Unlock()
	select {
	case <-r.done:
		return r.value, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// run reads, and then for those who have come meanwhile.
func (t *together) run(key string, r *reading) {
	for r != nil {
		r.once()
		r = t.after(key, r)
	}
}

// after is the next reading, nil where nobody waits for one. While the store is
// away who waits would only learn the same once more, later.
func (t *together) after(key string, r *reading) *reading {
	t.mu.Lock()
	defer t.mu.Unlock()
	next := t.next[key]
	if next != nil && errors.Is(r.err, market.ErrAway) {
		next.err = r.err
		close(next.done)
		next = nil
	}
	if next == nil {
		delete(t.next, key)
		return nil
	}
	t.next[key] = nil
	return next
}

// once is the reading itself. It takes as long as a call may, whoever has had
// enough meanwhile.
func (r *reading) once() {
	ctx, cancel := context.WithTimeout(r.ctx, callTime)
	defer cancel()
	defer close(r.done)
	defer func() {
		if fault := recover(); fault != nil {
			r.err = panicked{fault, debug.Stack()}
		}
	}()
	r.value, r.err = r.read(ctx)
}
