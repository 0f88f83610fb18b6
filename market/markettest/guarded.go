package markettest

import (
	"context"
	"sync"

	"secondring/market"
)

// Guarded returns the store with a guard, which decides for each write whether to make it.
func Guarded(store market.Store, guard func(write func() error) error) market.Store {
	return store.Hooked(GuardHook(guard))
}

// GuardHook returns the hook that passes the writes to a guard.
func GuardHook(guard func(write func() error) error) market.StoreHook {
	return func(_ context.Context, call market.StoreCall, do func() error) error {
		if call.Op == market.OpRead {
			return do()
		}
		return guard(do)
	}
}

// Crash is the guard of a process that is killed after a number of writes. It is safe for
// concurrent use.
type Crash struct {
	Writes int          // the number of writes before the crash
	Made   bool         // the last write is made too, but its result is lost
	Die    func() error // returns the error of every write after the crash
	mu     sync.Mutex
	done   int
}

// Guard makes a write, or returns the error of Die.
func (c *Crash) Guard(write func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done++
	if c.done <= c.Writes {
		return write()
	}
	if c.Made && c.done == c.Writes+1 {
		_ = write() // the result is lost with the process
	}
	return c.Die()
}
