package hub_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"secondring/hub"
	"secondring/market"
)

var errUnavailable = errors.New("unavailable")

// failingBroker is a broker whose calls fail while a flag is set.
type failingBroker struct {
	hub.Broker
	subscribeFails, historyFails atomic.Bool
}

// Subscribe implements hub.Broker.
func (b *failingBroker) Subscribe(ctx context.Context, topic string, l hub.Listener) (hub.Position, error) {
	if b.subscribeFails.Load() {
		return hub.Position{}, errUnavailable
	}
	return b.Broker.Subscribe(ctx, topic, l)
}

// History implements hub.Broker.
func (b *failingBroker) History(ctx context.Context, topic string, since hub.Position) (hub.History, error) {
	if b.historyFails.Load() {
		return hub.History{}, errUnavailable
	}
	return b.Broker.History(ctx, topic, since)
}

func TestUnavailableBrokerClosesWith1012(t *testing.T) {
	b := &failingBroker{Broker: hub.NewMemoryBroker(hub.HistoryLimits{})}
	h := start(t, func(c *hub.Config) { c.Broker = b })
	for name, fails := range map[string]*atomic.Bool{"subscribe": &b.subscribeFails, "history": &b.historyFails} {
		brand := "brand:" + name
		begin := h.position(brand)
		h.publish(products(brand, 3)...)
		fails.Store(true)
		c := h.dial(h.token("u1"))
		c.send(`{"subscribe":{"` + brand + `":"` + begin + `"}}`)
		if code := c.closeCode(); code != hub.CloseRestarting {
			t.Errorf("%s fails: closed with %d, want %d", name, code, hub.CloseRestarting)
		}
		fails.Store(false)
		c = h.dial(h.token("u1")) // reconnects
		c.subscribe(map[string]string{brand: begin})
		c.events(3)
	}
}

func TestRunFailsWithTheBroker(t *testing.T) {
	b := &failingBroker{Broker: hub.NewMemoryBroker(hub.HistoryLimits{})}
	defer func() { _ = b.Close() }()
	b.subscribeFails.Store(true)
	h, err := hub.New(hub.Config{Broker: b, Authorize: hub.AllowAnyTopic})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Run(t.Context()); !errors.Is(err, errUnavailable) {
		t.Errorf("got %v", err)
	}
	b.subscribeFails.Store(false)
	if err := h.Run(t.Context()); err != nil {
		t.Errorf("the second Run: %v", err)
	}
	if err := h.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestUndecidedPermissionClosesWith1012(t *testing.T) {
	var unavailable atomic.Bool
	h := start(t, func(c *hub.Config) {
		authorize := c.Authorize
		c.Authorize = func(ctx context.Context, v hub.Viewer, topic string) (string, bool, error) {
			if unavailable.Load() {
				return "", false, errUnavailable
			}
			return authorize(ctx, v, topic)
		}
	})
	c := h.dial(h.token("u1"))
	c.subscribe(map[string]string{"me": ""})
	unavailable.Store(true)
	h.control(market.TypeAccessChanged, market.Control{UID: "u1"})
	if code := c.closeCode(); code != hub.CloseRestarting {
		t.Errorf("after an access change: closed with %d", code)
	}
	c = h.dial(h.token("u1"))
	c.send(`{"subscribe":{"me":""}}`)
	if code := c.closeCode(); code != hub.CloseRestarting {
		t.Errorf("after a subscribe: closed with %d", code)
	}
}

// A replay that is longer than the queue is written as fast as the client reads it. If all of it
// were queued at once, the hub would close the socket as too slow, and the client would reconnect
// with the same position forever.
func TestLongReplayDoesNotCloseSocket(t *testing.T) {
	const n = 180
	h := start(t, func(c *hub.Config) {
		c.Limits = hub.Limits{QueueBytes: 64 << 10, QueueAge: time.Hour}
	})
	begin := h.position(brand)
	for i := range n {
		e := event(brand, market.TypeProductAdded, fmt.Sprint("p", i), 1)
		e.Data = fmt.Appendf(nil, `{"_id":"p%d","pad":%q}`, i, strings.Repeat("x", 5<<10))
		h.publish(e)
	}
	c := h.dial(h.token("u1"))
	c.subscribe(map[string]string{brand: begin})
	for i, e := range c.events(n) {
		if e.Data.ID != fmt.Sprint("p", i) {
			t.Fatalf("event %d is %s", i, e.Data.ID)
		}
	}
}

func TestClientsPingsAreAnswered(t *testing.T) {
	h := start(t, nil)
	c := h.dial("")
	pong := make(chan string, 1)
	c.ws.SetPongHandler(func(data string) error {
		pong <- data
		return nil
	})
	if err := c.ws.WriteControl(websocket.PingMessage, []byte("payload"), time.Time{}); err != nil {
		t.Fatal(err)
	}
	c.wantNoEvents()
	if got := <-pong; got != "payload" {
		t.Errorf("got %q", got)
	}
}

func TestStats(t *testing.T) {
	h := start(t, nil)
	token := h.token("u1")
	first, second := h.dial(token), h.dial(token)
	visitor := h.dial("")
	first.subscribe(map[string]string{brand: "", "me": ""})
	second.subscribe(map[string]string{brand: ""})
	visitor.subscribe(map[string]string{"advertised": "nonsense"})
	h.wantRefused("nonsense")
	h.publish(products(brand, 3)...)
	first.events(3)
	second.events(3)
	visitor.send("x")
	visitor.closeCode()
	eventually(t, func() bool {
		s := h.hub.Stats()
		return s.Sockets == 2 && s.People == 1 && s.Topics == 2 && s.Subscriptions == 3 && s.Opened == 3 &&
			s.Refused == 1 && s.Deliveries == 6 && s.Resyncs == 1 && s.Drops["limit"] == 1
	}, func() string { return fmt.Sprintf("%+v", h.hub.Stats()) })
}

// eventually calls ok repeatedly until it returns true, and fails the test after patience.
func eventually(t *testing.T, ok func() bool, failure func() string) {
	t.Helper()
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for !ok() {
		select {
		case <-ticker.C:
		case <-deadline.C:
			t.Fatal(failure())
		}
	}
}
