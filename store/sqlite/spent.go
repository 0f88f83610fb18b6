package sqlite

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"secondring/market"
)

// forgetAfter is how long events that are published wait for a change that takes
// them out of the outbox along with itself. A transaction of their own is
// worth it only where nobody writes.
const forgetAfter = 100 * time.Millisecond

// forgetMost bounds how many wait.
const forgetMost = 4096

// spent are the places of events that are published and in the outbox still.
// Nobody is offered them any more, unless the process is killed before they are
// taken out: then they are published once more, as what was just being published
// is.
type spent struct {
	mu     sync.Mutex
	places map[int64]struct{}
}

// add notes places, and tells how many there are.
func (s *spent) add(events []market.Event) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.places == nil {
		s.places = map[int64]struct{}{}
	}
	for _, e := range events {
		s.places[e.Seq] = struct{}{}
	}
	return len(s.places)
}

func (s *spent) len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.places)
}

// all returns them in their order.
func (s *spent) all() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.places))
}

// gone says that these are out of the outbox.
func (s *spent) gone(places []int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, place := range places {
		delete(s.places, place)
	}
}

// now returns them as they are at this moment.
func (s *spent) now() map[int64]struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.places)
}

// EventsPublished forgets events, by their Seq.
func (s *Store) EventsPublished(ctx context.Context, events []market.Event) error {
	if err := s.mayStart(ctx); err != nil || len(events) == 0 {
		return named("empty outbox", err)
	}
	if s.spent.add(events) > forgetMost {
		return s.forget(ctx)
	}
	s.later.Reset(forgetAfter)
	return nil
}

// forgetSoon does so in a time in which another process can be done with the file.
// Where it fails, the next change takes the events along.
func (s *Store) forgetSoon() {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	_ = s.forget(ctx)
}

// forget takes all that are published out of the outbox.
func (s *Store) forget(ctx context.Context) error {
	if s.spent.len() == 0 {
		return nil
	}
	return s.write(ctx, "empty outbox", func(*conn) error { return nil }) // each transaction does
}

// forget takes events out of the outbox, inside a transaction.
func (c *conn) forget(places []int64) error {
	for left := places; len(left) > 0; {
		seq, n := left[0]>>bundlePlaces, 1
		for n < len(left) && left[n]>>bundlePlaces == seq {
			n++
		}
		if err := c.published(seq, left[:n]); err != nil {
			return err
		}
		left = left[n:]
	}
	return nil
}
