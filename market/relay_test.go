package market_test

import (
	"context"
	"errors"
	"testing"

	"secondring/market"
)

// recordingBroker is a broker that records its events and can fail.
type recordingBroker struct {
	events        []market.Event
	isUnavailable bool
}

func (b *recordingBroker) Publish(_ context.Context, events []market.Event) error {
	if b.isUnavailable {
		return errors.New("the broker is unavailable")
	}
	b.events = append(b.events, events...)
	return nil
}

func TestEventsArePublishedInOrderAfterABrokerOutage(t *testing.T) {
	e := newEnv(t)
	e.drain()
	broker := &recordingBroker{isUnavailable: true}
	relay := market.NewRelay(e.Market, broker)
	seller, buyer := e.seller(), e.buyer()
	p := e.phone(seller)
	e.mustBook(buyer, p)
	if err := relay.Flush(e.ctx); err == nil {
		t.Fatal("flushing to an unavailable broker returned no error")
	}
	broker.isUnavailable = false
	e.must(relay.Flush(e.ctx))
	versions := map[string]int64{}
	for _, event := range broker.events {
		key := event.Topic + event.Entity
		if event.Version <= versions[key] {
			t.Errorf("%s of %s: version %d after %d", event.Type, key, event.Version, versions[key])
		}
		versions[key] = event.Version
	}
	if versions[market.TopicBrand(e.brand.ID)+p.ID] != 2 {
		t.Errorf("the booking was not published: %v", versions)
	}
	before := len(broker.events)
	e.must(relay.Flush(e.ctx))
	if len(broker.events) != before {
		t.Error("a second flush published events again")
	}
}
