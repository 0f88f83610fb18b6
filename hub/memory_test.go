package hub_test

import (
	"testing"
	"testing/synctest"
	"time"

	"secondring/hub"
	"secondring/hub/brokertest"
	"secondring/market"
)

func TestMemoryBroker(t *testing.T) {
	brokertest.Run(t, func(t *testing.T, limits hub.HistoryLimits) brokertest.Backend {
		newBroker := func() hub.Broker {
			b := hub.NewMemoryBroker(limits)
			t.Cleanup(func() { _ = b.Close() })
			return b
		}
		b := newBroker()
		return brokertest.Backend{Broker: b, Peer: b, Restart: newBroker}
	})
}

func TestIdleTopicsAreDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := hub.NewMemoryBroker(hub.HistoryLimits{Age: time.Minute, Idle: time.Hour})
		defer func() { _ = b.Close() }()
		at := func(topic string) string {
			p, err := b.Position(t.Context(), topic)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		r := &counter{}
		if _, err := b.Subscribe(t.Context(), "read", r); err != nil {
			t.Fatal(err)
		}
		first := event("idle", "x", "p", 1)
		if err := b.Publish(t.Context(), []market.Event{first}); err != nil {
			t.Fatal(err)
		}
		idle, read := at("idle"), at("read")
		<-time.After(59 * time.Minute)
		if at("idle") != idle {
			t.Error("the topic was dropped before the limit")
		}
		<-time.After(2 * time.Hour)
		if err := b.Publish(t.Context(), []market.Event{first, event("idle", "x", "q", 1)}); err != nil {
			t.Fatal(err)
		}
		since, err := hub.ParsePosition(idle)
		if err != nil {
			t.Fatal(err)
		}
		if h, err := b.History(t.Context(), "idle", since); err != nil || h.Complete || h.Top.Offset != 2 {
			t.Errorf("the history since a position before the drop is %+v (%v), want an incomplete one", h, err)
		}
		if at("read") != read {
			t.Error("a topic with a listener was dropped")
		}
		if err := b.Publish(t.Context(), []market.Event{event("read", "x", "p", 1)}); err != nil || r.n != 1 {
			t.Errorf("the listener got %d events (%v), want 1", r.n, err)
		}
	})
}

type counter struct{ n int }

func (c *counter) Event(hub.Entry) { c.n++ }
func (c *counter) Gap()            {}
