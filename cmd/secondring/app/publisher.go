package app

import (
	"context"

	"secondring/api/cache"
	"secondring/market"
)

// publisher invalidates the caches before events are published, and measures how long the
// events waited in the outbox.
type publisher struct {
	to       market.Publisher
	versions *cache.Versions
	metrics  *metrics
	clock    market.Clock
}

// Publish implements market.Publisher.
func (p publisher) Publish(ctx context.Context, events []market.Event) error {
	p.versions.Published(events)
	if err := p.to.Publish(ctx, events); err != nil {
		return err
	}
	now := p.clock.Now()
	for _, e := range events {
		if !e.At.IsZero() {
			p.metrics.published.Observe(max(0, now.Sub(e.At)).Seconds())
		}
	}
	return nil
}
