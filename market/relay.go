package market

import (
	"context"
	"time"
)

// Times of the relay.
const (
	relayEvery = 250 * time.Millisecond // finds what other processes have written; doubled while there is nothing
	relayIdle  = time.Second            // the longest interval
	relayBatch = 256
)

// EventsQueue is the Due.Queue of writes with events.
const EventsQueue = "events"

// Relay publishes stored events to the broker, in the order of Outbox.PendingEvents. One runs
// on every node. After a crash the other nodes publish the remaining events.
type Relay struct {
	market    *Market
	publisher Publisher
	interval  time.Duration
}

// NewRelay returns the market's relay.
func NewRelay(m *Market, publisher Publisher) *Relay {
	return &Relay{market: m, publisher: publisher, interval: relayEvery}
}

// Work returns the relay as background work.
func (r *Relay) Work() Work {
	return Work{Name: "relay", Queue: EventsQueue, Step: r.step}
}

func (r *Relay) step(ctx context.Context) (next time.Time, err error) {
	published, err := r.flush(ctx)
	if r.interval = min(2*r.interval, relayIdle); published {
		r.interval = relayEvery
	}
	return r.market.clock.Now().Add(r.interval), err
}

// Flush publishes all pending events.
func (r *Relay) Flush(ctx context.Context) error {
	_, err := r.flush(ctx)
	return err
}

// flush publishes all pending events and returns whether there were some.
func (r *Relay) flush(ctx context.Context) (published bool, err error) {
	for {
		events, err := r.market.store.PendingEvents(ctx, relayBatch)
		if err != nil || len(events) == 0 {
			return published, err
		}
		published = true
		if err := r.publisher.Publish(ctx, withModerators(r.market.withoutContact(events))); err != nil {
			return published, err
		}
		if err := r.market.store.EventsPublished(ctx, events); err != nil {
			return published, err
		}
		if len(events) < relayBatch {
			return published, nil
		}
	}
}
