package market_test

import (
	"context"
	"errors"
	"testing"

	"secondring/market"
)

// ledger is a broker that records its events and can fail.
type ledger struct {
	events []market.Event
	away   bool
}

func (l *ledger) Publish(_ context.Context, events []market.Event) error {
	if l.away {
		return errors.New("the broker is away")
	}
	l.events = append(l.events, events...)
	return nil
}

func TestEventsWaitForTheBrokerInOrder(t *testing.T) {
	e := newEnv(t)
	e.drain()
	broker := &ledger{away: true}
	relay := market.NewRelay(e.Market, broker, discard)
	seller, buyer := e.seller(), e.buyer()
	p := e.phone(seller)
	e.booked(buyer, p)
	if err := relay.Flush(e.ctx); err == nil {
		t.Fatal("published to a broker that is away")
	}
	broker.away = false
	e.must(relay.Flush(e.ctx))
	versions := map[string]int64{}
	for _, e := range broker.events {
		key := e.Topic + e.Entity
		if e.Version <= versions[key] {
			t.Errorf("%s of %s: version %d after %d", e.Type, key, e.Version, versions[key])
		}
		versions[key] = e.Version
	}
	if versions[market.TopicBrand(e.brand.ID)+p.ID] != 2 {
		t.Errorf("the booking was not published: %v", versions)
	}
	before := len(broker.events)
	e.must(relay.Flush(e.ctx))
	if len(broker.events) != before {
		t.Error("published again what was published")
	}
}
