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

var errAway = errors.New("away")

// mute is a broker of which some calls fail.
type mute struct {
	hub.Broker
	subscribe, history atomic.Bool // fail
}

// Subscribe implements hub.Broker.
func (b *mute) Subscribe(ctx context.Context, topic string, l hub.Listener) (hub.Position, error) {
	if b.subscribe.Load() {
		return hub.Position{}, errAway
	}
	return b.Broker.Subscribe(ctx, topic, l)
}

// History implements hub.Broker.
func (b *mute) History(ctx context.Context, topic string, since hub.Position) (hub.History, error) {
	if b.history.Load() {
		return hub.History{}, errAway
	}
	return b.Broker.History(ctx, topic, since)
}

func TestBrokerAwayClosesWith1012(t *testing.T) {
	b := &mute{Broker: hub.NewMemoryBroker(hub.HistoryLimits{})}
	h := start(t, func(c *hub.Config) { c.Broker = b })
	for name, fails := range map[string]*atomic.Bool{"subscribe": &b.subscribe, "history": &b.history} {
		brand := "brand:" + name
		begin := h.position(brand)
		h.publish(products(brand, 3)...)
		fails.Store(true)
		c := h.dial(h.person("u1"))
		c.send(`{"subscribe":{"` + brand + `":"` + begin + `"}}`)
		if code := c.closes(); code != hub.CloseRestarting {
			t.Errorf("%s: %d", name, code)
		}
		fails.Store(false)
		c = h.dial(h.person("u1")) // it comes back
		c.subscribe(map[string]string{brand: begin})
		c.events(3)
	}
}

func TestRunFailsWithTheBroker(t *testing.T) {
	b := &mute{Broker: hub.NewMemoryBroker(hub.HistoryLimits{})}
	defer func() { _ = b.Close() }()
	b.subscribe.Store(true)
	h, err := hub.New(hub.Config{Broker: b, Authorize: hub.AllowAnyTopic})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Run(t.Context()); !errors.Is(err, errAway) {
		t.Errorf("got %v", err)
	}
	b.subscribe.Store(false)
	if err := h.Run(t.Context()); err != nil {
		t.Errorf("tried again: %v", err)
	}
	if err := h.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestUndecidedPermissionClosesWith1012(t *testing.T) {
	var away atomic.Bool
	h := start(t, func(c *hub.Config) {
		decide := c.Authorize
		c.Authorize = func(ctx context.Context, v hub.Viewer, topic string) (string, bool, error) {
			if away.Load() {
				return "", false, errAway
			}
			return decide(ctx, v, topic)
		}
	})
	c := h.dial(h.person("u1"))
	c.subscribe(map[string]string{"me": ""})
	away.Store(true)
	h.control(market.TypeAccessChanged, market.Control{UID: "u1"})
	if code := c.closes(); code != hub.CloseRestarting {
		t.Errorf("deciding again: %d", code)
	}
	c = h.dial(h.person("u1"))
	c.send(`{"subscribe":{"me":""}}`)
	if code := c.closes(); code != hub.CloseRestarting {
		t.Errorf("subscribing: %d", code)
	}
}

// A replay longer than the queue is written as the reader takes it. Queued at once it
// would cut the socket as too slow, and the client would reconnect with the same
// position for ever.
func TestLongReplayDoesNotCutTheSocket(t *testing.T) {
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
	c := h.dial(h.person("u1"))
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
	if err := c.ws.WriteControl(websocket.PingMessage, []byte("there?"), time.Time{}); err != nil {
		t.Fatal(err)
	}
	c.quiet()
	if got := <-pong; got != "there?" {
		t.Errorf("got %q", got)
	}
}

func TestStats(t *testing.T) {
	h := start(t, nil)
	token := h.person("u1")
	one, two := h.dial(token), h.dial(token)
	visitor := h.dial("")
	one.subscribe(map[string]string{brand: "", "me": ""})
	two.subscribe(map[string]string{brand: ""})
	visitor.subscribe(map[string]string{"advertised": "nonsense"})
	h.refused("nonsense")
	h.publish(products(brand, 3)...)
	one.events(3)
	two.events(3)
	visitor.send("x")
	visitor.closes()
	eventually(t, func() bool {
		s := h.hub.Stats()
		return s.Sockets == 2 && s.People == 1 && s.Topics == 2 && s.Subscriptions == 3 && s.Opened == 3 &&
			s.Refused == 1 && s.Deliveries == 6 && s.Resyncs == 1 && s.Drops["limit"] == 1
	}, func() string { return fmt.Sprintf("%+v", h.hub.Stats()) })
}

// eventually calls ok repeatedly until it returns true.
func eventually(t *testing.T, ok func() bool, say func() string) {
	t.Helper()
	again := time.NewTicker(time.Millisecond)
	defer again.Stop()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for !ok() {
		select {
		case <-again.C:
		case <-deadline.C:
			t.Fatal(say())
		}
	}
}
