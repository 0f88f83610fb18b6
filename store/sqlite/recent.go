package sqlite

import (
	"sync"
	"time"

	"secondring/market"
)

// recentMost bounds how many events are remembered while nobody takes them.
const recentMost = 4096

// recent are the events that this process has stored and not yet forgotten, by
// their bundle: the relay need not read and take apart what was put together a
// moment ago. Which bundles there are, in which order, and whether one is whole,
// is asked of the file each time, so that nothing of another process is passed
// over; and what is not remembered is read. Nobody may change the events.
type recent struct {
	mu      sync.Mutex
	bundles map[int64][]market.Event
	events  int
}

// keep remembers a bundle that is on disk now.
func (r *recent) keep(seq int64, events []market.Event) {
	for i := range events {
		events[i] = asStored(events[i], seq<<bundlePlaces|int64(i))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bundles == nil || r.events+len(events) > recentMost {
		r.bundles, r.events = map[int64][]market.Event{}, 0
	}
	r.bundles[seq] = events
	r.events += len(events)
}

// of returns the events of a bundle, if they are remembered.
func (r *recent) of(seq int64) ([]market.Event, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	events, known := r.bundles[seq]
	return events, known
}

// gone forgets the bundles of places of which some are out of the outbox.
func (r *recent) gone(places []int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, place := range places {
		seq := place >> bundlePlaces
		r.events -= len(r.bundles[seq])
		delete(r.bundles, seq)
	}
}

// asStored is an event as it will be read at its place.
func asStored(e market.Event, place int64) market.Event {
	e.Seq = place
	if len(e.Data) == 0 {
		e.Data = nil
	}
	if !e.At.IsZero() {
		e.At = time.UnixMilli(e.At.UnixMilli()).UTC()
	}
	return e
}
