package rest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"secondring/market"
)

// Counter is a market.RateCounter. Package ratelimit has one for all nodes.
type Counter = market.RateCounter

// counterKeys limits the memory of a MemoryCounter to about 20 MB.
const counterKeys = 100_000

type window struct {
	count int
	ends  time.Time
}

// MemoryCounter is a Counter for one process. When it is full it deletes the least recently
// used keys.
type MemoryCounter struct {
	clock market.Clock
	mu    sync.Mutex
	keys  *simplelru.LRU[string, window]
}

// NewMemoryCounter returns an empty counter.
func NewMemoryCounter(clock market.Clock) *MemoryCounter {
	keys, err := simplelru.NewLRU[string, window](counterKeys, nil)
	if err != nil { // only for a size below one
		panic(fmt.Sprintf("rest: counter: %v", err))
	}
	return &MemoryCounter{clock: clock, keys: keys}
}

// Count implements Counter. It never fails.
func (m *MemoryCounter) Count(_ context.Context, key string, lasts time.Duration, n int) (int, time.Duration, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.clock.Now()
	w, ok := m.keys.Get(key)
	if !ok || !w.ends.After(now) {
		if n == 0 {
			return 0, 0, nil
		}
		w = window{ends: now.Add(lasts)}
	}
	late := w.ends.Sub(now) > lasts // the clock was set back: a window must not last longer than its length
	if late {
		w.ends = now.Add(lasts)
	}
	w.count += n
	if n != 0 || late {
		m.keys.Add(key, w)
	}
	return w.count, w.ends.Sub(now), nil
}
