package cache_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"secondring/api/cache"
	"secondring/market"
)

// counting returns a read function whose value is the number of its calls.
func counting(n *int) func(context.Context) (int, error) {
	return func(context.Context) (int, error) {
		*n++
		return *n, nil
	}
}

func load(t *testing.T, c *cache.Cache[int], read func(context.Context) (int, error), subjects ...string) int {
	t.Helper()
	value, err := c.Load(t.Context(), "key", subjects, read)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestInvalidation(t *testing.T) {
	phone := market.Product{ID: "p", BrandID: "b"}
	event := market.Event{Topic: market.TopicBrand("b"), Entity: "p"}
	write := func(v *cache.Versions, call market.StoreCall, err error) {
		_ = v.StoreHook(t.Context(), call, func() error { return err })
	}
	for name, c := range map[string]struct {
		subject string
		change  func(v *cache.Versions)
		reads   int
	}{
		"nothing":                   {cache.Brands, func(*cache.Versions) {}, 1},
		"an event of its topic":     {event.Topic, func(v *cache.Versions) { v.Published([]market.Event{event}) }, 2},
		"an event of another topic": {market.TopicBrand("c"), func(v *cache.Versions) { v.Published([]market.Event{event}) }, 1},
		"a write with its event":    {event.Topic, func(v *cache.Versions) { write(v, market.StoreCall{Effects: []market.Effect{event}}, nil) }, 2},
		"a write with an unknown result": {event.Topic, func(v *cache.Versions) {
			write(v, market.StoreCall{Effects: []market.Effect{event}}, errors.New("timeout"))
		}, 2},
		"a write of a phone":       {cache.Phones, func(v *cache.Versions) { write(v, market.StoreCall{Entity: phone}, nil) }, 2},
		"a new brand":              {cache.Brands, func(v *cache.Versions) { write(v, market.StoreCall{Entity: market.Brand{}}, nil) }, 2},
		"a removed brand":          {cache.Brands, func(v *cache.Versions) { write(v, market.StoreCall{Op: market.OpRemove, Entity: market.Brand{}}, nil) }, 2},
		"a change of the user":     {cache.Person("u"), func(v *cache.Versions) { write(v, market.StoreCall{Entity: market.User{UID: "u"}}, nil) }, 2},
		"a change of another user": {cache.Person("u"), func(v *cache.Versions) { write(v, market.StoreCall{Entity: market.User{UID: "v"}}, nil) }, 1},
		"the end of the session": {cache.Session("s"), func(v *cache.Versions) {
			write(v, market.StoreCall{Op: market.OpRemove, Entity: market.Session{ID: "s"}}, nil)
		}, 2},
		"a longer session": {cache.Session("s"), func(v *cache.Versions) {
			write(v, market.StoreCall{Op: market.OpSave, Entity: market.Session{ID: "s"}}, nil)
		}, 1},
		"a read": {cache.Phones, func(v *cache.Versions) { write(v, market.StoreCall{Op: market.OpRead}, nil) }, 1},
		"a control event": {cache.Person("u"), func(v *cache.Versions) {
			v.Published([]market.Event{{Topic: market.TopicControl, Data: []byte(`{"uid":"u"}`)}})
		}, 2},
		"a control event that cannot be read": {cache.Person("u"), func(v *cache.Versions) {
			v.Published([]market.Event{{Topic: market.TopicControl, Data: []byte(`{`)}})
		}, 2},
		"a write of another process": {cache.Brands, func(v *cache.Versions) { v.AllChanged() }, 2},
	} {
		t.Run(name, func(t *testing.T) {
			versions, reads := cache.NewVersions(), 0
			entries := cache.New[int](versions, 8)
			load(t, entries, counting(&reads), c.subject)
			c.change(versions)
			if got := load(t, entries, counting(&reads), c.subject); got != c.reads {
				t.Errorf("read %d times, want %d", got, c.reads)
			}
		})
	}
}

func TestEntriesExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads, entries := 0, cache.New[int](cache.NewVersions(), 8)
		load(t, entries, counting(&reads))
		waitFor(cache.MaxAge)
		if got := load(t, entries, counting(&reads)); got != 2 {
			t.Errorf("read %d times, want 2", got)
		}
	})
}

func TestErrorsAreNotCached(t *testing.T) {
	reads, entries := 0, cache.New[int](cache.NewVersions(), 8)
	errDown := errors.New("down")
	if _, err := entries.Load(t.Context(), "key", nil, func(context.Context) (int, error) { return 0, errDown }); !errors.Is(err, errDown) {
		t.Errorf("the error is %v, want that of the read", err)
	}
	if got := load(t, entries, counting(&reads)); got != 1 {
		t.Errorf("got %d, want the value of the next read", got)
	}
}

// Without versions nothing is cached, because other nodes write to the store.
func TestNothingIsCachedWithoutVersions(t *testing.T) {
	reads, entries := 0, cache.New[int](nil, 8)
	load(t, entries, counting(&reads))
	if got := load(t, entries, counting(&reads)); got != 2 {
		t.Errorf("read %d times, want 2", got)
	}
}

// Callers share a read only if it begins after each of their calls. So two reads serve all
// who call during the first one.
func TestConcurrentCallersShareReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads, release := 0, make(chan struct{})
		entries := cache.New[int](nil, 8)
		got := make(chan int, 50)
		var all sync.WaitGroup
		call := func() {
			value, err := entries.Load(t.Context(), "key", nil, func(context.Context) (int, error) {
				reads++
				n := reads
				<-release
				return n, nil
			})
			if err != nil {
				t.Error(err)
			}
			got <- value
		}
		all.Go(call)
		synctest.Wait()
		waitFor(1) // the callers below call after the first read has begun
		for range 20 {
			all.Go(call)
		}
		synctest.Wait()
		for range 2 {
			release <- struct{}{}
			synctest.Wait()
			waitFor(1)
		}
		all.Wait()
		if reads != 2 {
			t.Errorf("%d reads, want 2", reads)
		}
		close(got)
		second := 0
		for value := range got {
			if value == 2 {
				second++
			}
		}
		if second != 20 {
			t.Errorf("%d of 20 callers got the second read, want all", second)
		}
	})
}

func TestCacheIsBounded(t *testing.T) {
	reads, entries := 0, cache.New[int](cache.NewVersions(), 8)
	for i := range 100 {
		if _, err := entries.Load(t.Context(), fmt.Sprint(i), nil, counting(&reads)); err != nil {
			t.Fatal(err)
		}
	}
	cached := 0
	for i := range 100 {
		if _, ok := entries.Get(fmt.Sprint(i)); ok {
			cached++
		}
	}
	if cached != 8 {
		t.Errorf("%d entries are cached, want 8", cached)
	}
}

// Writes and events happen during reads, in random order. No reader gets older data than
// what was acknowledged before its call.
func TestNoStaleReadsUnderConcurrentWrites(t *testing.T) {
	versions := cache.NewVersions()
	entries := cache.New[int](versions, 8)
	var mu sync.Mutex
	stored, acknowledged := 0, 0
	read := func(context.Context) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return stored, nil
	}
	var all sync.WaitGroup
	all.Go(func() {
		for range 5000 {
			_ = versions.StoreHook(t.Context(), market.StoreCall{Entity: market.Product{}}, func() error {
				mu.Lock()
				defer mu.Unlock()
				stored++
				return nil
			})
			mu.Lock()
			acknowledged = stored
			mu.Unlock()
		}
	})
	for range 4 {
		all.Go(func() {
			for range 5000 {
				mu.Lock()
				least := acknowledged
				mu.Unlock()
				got, err := entries.Load(t.Context(), fmt.Sprint(rand.IntN(2)), []string{cache.Phones}, read)
				if err != nil || got < least {
					t.Errorf("read version %d after version %d was acknowledged, %v", got, least, err)
					return
				}
			}
		})
	}
	all.Wait()
}

// waitFor lets the time of the synctest bubble pass.
func waitFor(d time.Duration) { <-time.After(d) }
