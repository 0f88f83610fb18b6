package mongo

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// Limits and times of counting in a large market.
const (
	exactCountLimit    = 10_000          // up to this number each call counts exactly
	maxCachedCounts    = 1000            // results in a cache; it is emptied when it is full
	countMaxAge        = time.Second     // age of a cached result from which it is counted again
	refreshPauseFactor = 4               // pause after a count, as a multiple of its duration
	countTimeout       = 2 * time.Minute // for one count
)

// countCache caches the results of slow counts by key, so that a large market does not keep the
// server busy with counting. Each process has its own cache.
type countCache[V any] struct {
	ctx     context.Context    // of the counts //nolint:containedctx // a count is of all callers that wait for it
	close   context.CancelFunc // cancels the running counts
	running singleflight.Group

	mu          sync.Mutex
	cached      map[string]cachedCount[V]
	nextRefresh time.Time // no cached result is counted again before this time
}

type cachedCount[V any] struct {
	value V
	at    time.Time // when its count began
}

// countFunc counts. If large is false, the result is not cached.
type countFunc[V any] func(ctx context.Context) (value V, large bool, err error)

func newCountCache[V any](ctx context.Context) *countCache[V] {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	return &countCache[V]{ctx: ctx, close: cancel, cached: map[string]cachedCount[V]{}}
}

// get returns the cached result of a key. If it is old, it is counted again in the background, one
// result at a time.
func (c *countCache[V]) get(key string, count countFunc[V]) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry, ok := c.cached[key]
	now := time.Now()
	if ok && now.Sub(entry.at) >= countMaxAge && !now.Before(c.nextRefresh) {
		c.nextRefresh = now.Add(countTimeout)
		c.start(key, count)
	}
	return entry.value, ok
}

// load counts the result of a key that is not cached. Concurrent callers share one count. It
// returns the error of ctx if ctx ends first; the count continues then.
func (c *countCache[V]) load(ctx context.Context, key string, count countFunc[V]) (value V, err error) {
	select {
	case result := <-c.start(key, count):
		value, _ = result.Val.(V)
		return value, result.Err
	case <-ctx.Done():
		return value, ctx.Err()
	}
}

// start begins a count, unless one of the key is running, and caches its result if it is large.
func (c *countCache[V]) start(key string, count countFunc[V]) <-chan singleflight.Result {
	return c.running.DoChan(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(c.ctx, countTimeout)
		defer cancel()
		began := time.Now()
		value, large, err := count(ctx)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.nextRefresh = time.Now().Add(refreshPauseFactor * time.Since(began))
		switch {
		case err != nil: // a cached result stays
		case !large:
			delete(c.cached, key)
		default:
			if len(c.cached) >= maxCachedCounts {
				clear(c.cached)
			}
			c.cached[key] = cachedCount[V]{value, began}
		}
		return value, err
	})
}
