package mongo

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Limits and times of counting in a large market.
const (
	exactCountLimit    = 10_000          // up to this number each call counts exactly
	maxCachedCounts    = 1000            // results in a cache; it is emptied when it is full
	countMaxAge        = time.Second     // age of a cached result from which it is counted again
	refreshPauseFactor = 4               // pause after a refresh, as a multiple of its duration
	countTimeout       = 2 * time.Minute // for one count
)

var errCountCacheClosed = errors.New("the store is closed")

// countCache caches the results of slow counts by key. It returns a cached result
// immediately. If the result is older than countMaxAge, a goroutine counts again.
// Only one result is refreshed at a time, with a pause after each refresh, so that a
// large market does not keep the server busy with counting. Each process has its own
// cache.
type countCache[V any] struct {
	ctx    context.Context
	cancel context.CancelFunc
	tasks  sync.WaitGroup

	mu          sync.Mutex
	closed      bool
	cached      map[string]cachedCount[V]
	pending     map[string]*pendingCount[V] // running counts of keys that are not cached
	refreshing  bool                        // a cached result is being counted again
	nextRefresh time.Time                   // no cached result is counted again before this time
}

type cachedCount[V any] struct {
	value V
	at    time.Time // when its count began
}

// pendingCount is a running count. done is closed when the count has ended.
type pendingCount[V any] struct {
	done  chan struct{}
	value V
	err   error
}

// countFunc counts. If large is false, the result is not cached.
type countFunc[V any] func(ctx context.Context) (value V, large bool, err error)

func newCountCache[V any](ctx context.Context) *countCache[V] {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	return &countCache[V]{
		ctx: ctx, cancel: cancel, cached: map[string]cachedCount[V]{}, pending: map[string]*pendingCount[V]{},
	}
}

// close cancels the running counts and waits until they have ended.
func (c *countCache[V]) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.cancel()
	c.tasks.Wait()
}

// get returns the cached result of a key, and starts a refresh if the result is old.
func (c *countCache[V]) get(key string, count countFunc[V]) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry, ok := c.cached[key]
	now := time.Now()
	if ok && !c.closed && !c.refreshing && now.Sub(entry.at) >= countMaxAge && !now.Before(c.nextRefresh) {
		c.refreshing = true
		c.tasks.Go(func() { c.refresh(key, count) })
	}
	return entry.value, ok
}

// refresh counts a cached result again. If the count fails, the cached result stays.
func (c *countCache[V]) refresh(key string, count countFunc[V]) {
	began := time.Now()
	value, large, err := c.run(count)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refreshing = false
	c.nextRefresh = time.Now().Add(refreshPauseFactor * time.Since(began))
	switch {
	case err != nil:
	case large:
		c.cached[key] = cachedCount[V]{value, began}
	default:
		delete(c.cached, key)
	}
}

func (c *countCache[V]) run(count countFunc[V]) (V, bool, error) {
	ctx, cancel := context.WithTimeout(c.ctx, countTimeout)
	defer cancel()
	return count(ctx)
}

// load counts the result of a key that is not cached. Concurrent callers share one
// count. It returns the error of ctx if ctx ends first; the count continues then.
func (c *countCache[V]) load(ctx context.Context, key string, count countFunc[V]) (value V, err error) {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return value, errCountCacheClosed
	}
	p := c.pending[key]
	if p == nil {
		p = &pendingCount[V]{done: make(chan struct{})}
		c.pending[key] = p
		c.tasks.Go(func() { c.complete(key, p, count) })
	}
	c.mu.Unlock()
	select {
	case <-p.done:
		return p.value, p.err
	case <-ctx.Done():
		return value, ctx.Err()
	}
}

// complete runs a pending count, caches its result if that is large, and wakes the
// callers of load.
func (c *countCache[V]) complete(key string, p *pendingCount[V], count countFunc[V]) {
	began := time.Now()
	value, large, err := c.run(count)
	c.mu.Lock()
	defer c.mu.Unlock()
	p.value, p.err = value, err
	delete(c.pending, key)
	if err == nil && large {
		if len(c.cached) >= maxCachedCounts {
			clear(c.cached)
		}
		c.cached[key] = cachedCount[V]{value, began}
	}
	close(p.done)
}
