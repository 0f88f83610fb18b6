package cache

import (
	"context"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"
)

// readTimeout is the timeout of a read that several callers share. It continues if the
// first of them disconnects.
const readTimeout = 15 * time.Second

// Cache stores values by key. It is safe for concurrent use. Its values are shared and must
// not be changed.
type Cache[V any] struct {
	versions *Versions // nil: nothing is cached
	entries  *lru.Cache[string, entry[V]]
	reads    singleflight.Group
}

type entry[V any] struct {
	value    V
	began    time.Time // when its read began
	versions snapshot
}

// MaxAge is how long an entry is valid at most, from the beginning of its read.
const MaxAge = 5 * time.Second

// New returns a cache of size entries. If versions is nil, nothing is cached: only
// concurrent callers share reads.
func New[V any](versions *Versions, size int) *Cache[V] {
	entries, err := lru.New[string, entry[V]](size)
	if err != nil {
		panic(err) // the size is a constant above 0
	}
	return &Cache[V]{versions: versions, entries: entries}
}

// Get returns the valid entry of a key, or false.
func (c *Cache[V]) Get(key string) (V, bool) {
	e, ok := c.entries.Get(key)
	if !ok || time.Since(e.began) >= MaxAge || !e.versions.current() {
		var none V
		return none, false
	}
	return e.value, true
}

// Load returns the valid entry of a key. If there is none it calls read, once for all
// callers at that moment; the entry depends on the subjects. It returns the errors of read.
func (c *Cache[V]) Load(ctx context.Context, key string, subjects []string, read func(ctx context.Context) (V, error)) (V, error) {
	if value, ok := c.Get(key); ok {
		return value, nil
	}
	asked := time.Now()
	for {
		result, err, _ := c.reads.Do(key, func() (any, error) {
			shared, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeout)
			defer cancel()
			e := entry[V]{began: time.Now()}
			if c.versions != nil {
				e.versions = c.versions.of(subjects)
			}
			var err error
			if e.value, err = read(shared); err == nil && c.versions != nil {
				c.entries.Add(key, e)
			}
			return e, err
		})
		e, _ := result.(entry[V])
		// A read that began before this call may miss a change that the caller has seen.
		if !e.began.Before(asked) || (err == nil && c.versions != nil && e.versions.current()) {
			return e.value, err
		}
		if err := ctx.Err(); err != nil {
			return e.value, err
		}
	}
}
