package hub_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"secondring/hub"
	"secondring/market"
)

// deaf is a broker whose listeners hear nothing while it is set.
type deaf struct {
	hub.Broker
	now   atomic.Bool
	lines []*deafLine
}

type deafLine struct {
	hub.Listener
	broker *deaf
}

// Subscribe implements hub.Broker.
func (b *deaf) Subscribe(ctx context.Context, topic string, l hub.Listener) (hub.Position, error) {
	line := &deafLine{l, b}
	b.lines = append(b.lines, line)
	return b.Broker.Subscribe(ctx, topic, line)
}

// Event implements hub.Listener.
func (l *deafLine) Event(e hub.Entry) {
	if !l.broker.now.Load() {
		l.Listener.Event(e)
	}
}

// wake ends the deafness as a renewed connection does.
func (b *deaf) wake() {
	b.now.Store(false)
	for _, l := range b.lines {
		l.Gap()
	}
}

func startDeaf(t *testing.T) (*rig, *deaf) {
	t.Helper()
	b := &deaf{Broker: hub.NewMemoryBroker(hub.HistoryLimits{Size: 5})}
	return start(t, func(c *hub.Config) { c.Broker = b }), b
}

func TestGapIsMadeGoodFromTheHistory(t *testing.T) {
	r, b := startDeaf(t)
	c := r.dial(r.person("u1"))
	c.subscribe(map[string]string{brand: ""})
	b.now.Store(true)
	r.publish(products(brand, 4)...)
	c.quiet()
	b.wake()
	if got := ids(c.events(4)); !slices.Equal(got, []string{"p0", "p1", "p2", "p3"}) {
		t.Errorf("got %v", got)
	}
}

func TestGapBeyondTheHistoryIsAResync(t *testing.T) {
	r, b := startDeaf(t)
	c := r.dial(r.person("u1"))
	c.subscribe(map[string]string{brand: ""})
	b.now.Store(true)
	r.publish(products(brand, 50)...)
	b.wake()
	if f := c.read(); f.Subscribed[brand] != r.position(brand) {
		t.Errorf("got %+v", f)
	}
	if f := c.read(); !slices.Equal(f.Resync, []string{brand}) {
		t.Errorf("got %+v", f)
	}
	r.publish(event(brand, market.TypeProductBooked, "p0", 2))
	if e := c.events(1)[0]; e.Data.Version != 2 {
		t.Errorf("got %+v", e)
	}
}

// Nobody knows whose session ended in the dark, so everybody comes back.
func TestLostControlEventsBringEverybodyBack(t *testing.T) {
	r, b := startDeaf(t)
	visitor, user := r.dial(""), r.dial(r.person("u1"))
	b.now.Store(true)
	for range 50 {
		r.control(market.TypeSessionEnded, market.Control{UID: "u2"})
	}
	b.wake()
	for _, c := range []*client{visitor, user} {
		if code := c.closes(); code != hub.CloseRestarting {
			t.Errorf("%d", code)
		}
	}
}
