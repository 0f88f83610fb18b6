package mongo

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Limits and times of the figures of a large market.
const (
	exactTo     = 10_000          // up to here each call counts exactly
	figuresMost = 1000            // are remembered
	freshFor    = time.Second     // before a figure is counted again
	countRest   = 4               // times the duration of a count pass before the next one begins
	countTime   = 2 * time.Minute // for one whole count
)

var errFiguresClosed = errors.New("the store is closed")

// figures remembers what takes long to count, by a key. A figure that is known is
// returned at once. When it is older than freshFor, one goroutine counts it
// again. One figure is counted again at a time, with a rest in between, so that a
// large market does not keep the server busy with counting. Each process has its
// own figures.
type figures[V any] struct {
	life  context.Context
	end   context.CancelFunc
	tasks sync.WaitGroup

	mu     sync.Mutex
	closed bool
	known  map[string]figure[V]
	first  map[string]*counting[V] // under way, of figures that are not known
	again  bool                    // a known one is being counted
	next   time.Time               // no known one is counted before
}

type figure[V any] struct {
	value V
	at    time.Time // when its count began
}

// counting is a count that is under way; done is closed when it has ended.
type counting[V any] struct {
	done  chan struct{}
	value V
	err   error
}

// counter counts; large is false where the figure need not be remembered.
type counter[V any] func(ctx context.Context) (value V, large bool, err error)

func newFigures[V any](ctx context.Context) *figures[V] {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	return &figures[V]{life: life, end: end, known: map[string]figure[V]{}, first: map[string]*counting[V]{}}
}

// close ends the running counts and waits for them.
func (f *figures[V]) close() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.end()
	f.tasks.Wait()
}

// recall returns a known figure, and starts a new count if it is old.
func (f *figures[V]) recall(key string, count counter[V]) (value V, known bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	is, known := f.known[key]
	now := time.Now()
	if known && !f.closed && !f.again && now.Sub(is.at) >= freshFor && !now.Before(f.next) {
		f.again = true
		f.tasks.Go(func() { f.refresh(key, count) })
	}
	return is.value, known
}

// refresh counts a known figure again. One that cannot be counted stays as it is.
func (f *figures[V]) refresh(key string, count counter[V]) {
	began := time.Now()
	value, large, err := f.run(count)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.again = false
	f.next = time.Now().Add(countRest * time.Since(began))
	switch {
	case err != nil:
	case large:
		f.known[key] = figure[V]{value, began}
	default:
		delete(f.known, key)
	}
}

func (f *figures[V]) run(count counter[V]) (V, bool, error) {
	ctx, cancel := context.WithTimeout(f.life, countTime)
	defer cancel()
	return count(ctx)
}

// learn counts an unknown figure, once for all concurrent callers.
func (f *figures[V]) learn(ctx context.Context, key string, count counter[V]) (value V, err error) {
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		return value, errFiguresClosed
	}
	c := f.first[key]
	if c == nil {
		c = &counting[V]{done: make(chan struct{})}
		f.first[key] = c
		f.tasks.Go(func() { f.find(key, c, count) })
	}
	f.mu.Unlock()
	select {
	case <-c.done:
		return c.value, c.err
	case <-ctx.Done():
		return value, ctx.Err()
	}
}

func (f *figures[V]) find(key string, c *counting[V], count counter[V]) {
	began := time.Now()
	value, large, err := f.run(count)
	f.mu.Lock()
	defer f.mu.Unlock()
	c.value, c.err = value, err
	delete(f.first, key)
	if err == nil && large {
		if len(f.known) >= figuresMost {
			clear(f.known)
		}
		f.known[key] = figure[V]{value, began}
	}
	close(c.done)
}
