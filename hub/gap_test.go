package hub_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"secondring/hub"
	"secondring/market"
)

// pausableBroker is a broker whose listeners get no events while paused is true.
type pausableBroker struct {
	hub.Broker
	paused    atomic.Bool
	listeners []*pausableListener
}

type pausableListener struct {
	hub.Listener
	broker *pausableBroker
}

// Subscribe implements hub.Broker.
func (b *pausableBroker) Subscribe(ctx context.Context, topic string, l hub.Listener) (hub.Position, error) {
	listener := &pausableListener{l, b}
	b.listeners = append(b.listeners, listener)
	return b.Broker.Subscribe(ctx, topic, listener)
}

// Event implements hub.Listener.
func (l *pausableListener) Event(e hub.Entry) {
	if !l.broker.paused.Load() {
		l.Listener.Event(e)
	}
}

// resume delivers events again, after a Gap as from a new connection.
func (b *pausableBroker) resume() {
	b.paused.Store(false)
	for _, l := range b.listeners {
		l.Gap()
	}
}

func startPausable(t *testing.T, holds func(context.Context, hub.Viewer) (bool, error)) (*harness, *pausableBroker) {
	t.Helper()
	b := &pausableBroker{Broker: hub.NewMemoryBroker(hub.HistoryLimits{Size: 5})}
	return start(t, func(c *hub.Config) { c.Broker, c.CheckSession = b, holds }), b
}

func TestGapIsFilledFromHistory(t *testing.T) {
	h, b := startPausable(t, nil)
	c := h.dial(h.token("u1"))
	c.subscribe(map[string]string{brand: ""})
	b.paused.Store(true)
	h.publish(products(brand, 4)...)
	c.wantNoEvents()
	b.resume()
	if got := ids(c.events(4)); !slices.Equal(got, []string{"p0", "p1", "p2", "p3"}) {
		t.Errorf("got %v", got)
	}
}

func TestGapBeyondHistoryIsResync(t *testing.T) {
	h, b := startPausable(t, nil)
	c := h.dial(h.token("u1"))
	c.subscribe(map[string]string{brand: ""})
	b.paused.Store(true)
	h.publish(products(brand, 50)...)
	b.resume()
	if f := c.read(); f.Subscribed[brand] != h.position(brand) {
		t.Errorf("got %+v", f)
	}
	if f := c.read(); !slices.Equal(f.Resync, []string{brand}) {
		t.Errorf("got %+v", f)
	}
	h.publish(event(brand, market.TypeProductBooked, "p0", 2))
	if e := c.events(1)[0]; e.Data.Version != 2 {
		t.Errorf("got %+v", e)
	}
}

// After lost control events any session may have ended, so all signed-in sockets are
// checked. Valid ones stay.
func TestLostControlEventsRecheckAllSockets(t *testing.T) {
	var unavailable atomic.Bool
	unavailable.Store(true)
	h, b := startPausable(t, func(_ context.Context, v hub.Viewer) (bool, error) {
		if (v.UID == "unknown" || v.UID == "later") && unavailable.Load() {
			return false, errUnavailable
		}
		return v.UID != "ended" && v.UID != "unknown", nil
	})
	visitor, valid, admin := h.dial(""), h.dial(h.token("valid")), h.dial(h.token("admin"))
	ended, unknown, later := h.dial(h.token("ended")), h.dial(h.token("unknown")), h.dial(h.token("later"))
	h.setAdmin("admin", true)
	admin.subscribe(map[string]string{market.TopicAdmin: ""})
	h.setAdmin("admin", false)
	b.paused.Store(true)
	for range 50 {
		h.control(market.TypeSessionEnded, market.Control{UID: "somebody"})
	}
	b.resume()
	if code := ended.closeCode(); code != hub.CloseTokenExpired {
		t.Errorf("the ended session: closed with %d", code)
	}
	if f := admin.read(); !slices.Equal(f.Denied, []string{market.TopicAdmin}) {
		t.Errorf("the former admin got %+v, want the topic denied", f)
	}
	for _, c := range []*client{visitor, valid, admin, unknown, later} {
		c.subscribe(map[string]string{market.TopicAdvertised: ""})
	}
	h.publish(event(market.TopicAdvertised, market.TypeAdvertisedChanged, "p", 1))
	for _, c := range []*client{visitor, valid, admin, unknown, later} {
		c.events(1)
	}
	unavailable.Store(false)
	if code := unknown.closeCode(); code != hub.CloseTokenExpired {
		t.Errorf("the session that ended without a control event: closed with %d", code)
	}
	h.publish(event(market.TopicAdvertised, market.TypeAdvertisedChanged, "p", 2))
	later.events(1)
}
