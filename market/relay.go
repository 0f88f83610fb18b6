package market

import (
	"context"
	"log/slog"
	"time"
)

// Times of the relay.
const (
	relayEvery = 250 * time.Millisecond // finds what other processes have written
	relayRetry = time.Second            // between tries while the broker is unavailable
	relayBatch = 256
)

// Relay publishes stored events to the broker, in the order of Outbox.PendingEvents. One runs
// on every node. After a crash the other nodes publish the remaining events.
type Relay struct {
	market    *Market
	publisher Publisher
	log       *slog.Logger
}

// NewRelay returns the market's relay.
func NewRelay(m *Market, publisher Publisher, log *slog.Logger) *Relay {
	return &Relay{market: m, publisher: publisher, log: log}
}

// Run works until the context ends.
func (r *Relay) Run(ctx context.Context) {
	tick := time.NewTimer(0)
	defer tick.Stop()
	var failures FailureLog
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.market.wake:
		case <-tick.C:
		}
		next := relayEvery
		if err := r.Flush(ctx); ctx.Err() == nil {
			if failures.Record(ctx, r.log, "relay", err); err != nil {
				next = relayRetry
			}
		}
		tick.Reset(next)
	}
}

// Flush publishes all pending events.
func (r *Relay) Flush(ctx context.Context) error {
	for {
		events, err := r.market.store.PendingEvents(ctx, relayBatch)
		if err != nil || len(events) == 0 {
			return err
		}
		if err := r.publisher.Publish(ctx, events); err != nil {
			return err
		}
		if err := r.market.store.EventsPublished(ctx, events); err != nil {
			return err
		}
		if len(events) < relayBatch {
			return nil
		}
	}
}
