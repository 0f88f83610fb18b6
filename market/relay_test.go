package market_test

import (
	"context"
	"errors"
	"testing"

	"secondring/market"
)

// ledger is a broker that remembers what it was given, and fails when told to.
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
	w := newEnv(t)
	w.drain()
	broker := &ledger{away: true}
	relay := market.NewRelay(w.Market, broker, discard)
	seller, buyer := w.seller(), w.buyer()
	p := w.phone(seller)
	w.booked(buyer, p)
	if err := relay.Flush(w.ctx); err == nil {
		t.Fatal("published to a broker that is away")
	}
	broker.away = false
	w.must(relay.Flush(w.ctx))
	versions := map[string]int64{}
	for _, e := range broker.events {
		key := e.Topic + e.Entity
		if e.Version <= versions[key] {
			t.Errorf("%s of %s: version %d after %d", e.Type, key, e.Version, versions[key])
		}
		versions[key] = e.Version
	}
	if versions[market.TopicBrand(w.brand.ID)+p.ID] != 2 {
		t.Errorf("the booking was not published: %v", versions)
	}
	before := len(broker.events)
	w.must(relay.Flush(w.ctx))
	if len(broker.events) != before {
		t.Error("published again what was published")
	}
}
