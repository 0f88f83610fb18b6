package hub_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"secondring/hub"
	"secondring/market"
)

// Clients that connect, disconnect, resume and resubscribe during writes get, on each
// topic, every event after their position, once and in order.
func TestEventsArriveOnceAndInOrder(t *testing.T) {
	for name, wrap := range map[string]func(*hub.Config){
		"reliable broker": nil,
		"lossy broker":    func(c *hub.Config) { c.Broker = newLossyBroker(c.Broker, 7) },
	} {
		t.Run(name, func(t *testing.T) {
			h := start(t, func(c *hub.Config) {
				c.Broker = hub.NewMemoryBroker(hub.HistoryLimits{Size: 100_000})
				if wrap != nil {
					wrap(c)
				}
			})
			token := h.token("u1")
			stop := make(chan struct{})
			var writers, readers sync.WaitGroup
			for w := range 3 {
				writers.Go(func() { h.write(w, stop) })
			}
			for i := range 6 {
				readers.Go(func() { newRandomClient(h, token, uint64(i)).run() })
			}
			readers.Wait()
			close(stop)
			writers.Wait()
		})
	}
}

const randomClientTopics = 3

// write publishes on random topics until stop is closed.
func (h *harness) write(writer int, stop chan struct{}) {
	random := rand.New(rand.NewPCG(uint64(writer), 2))
	ticker := time.NewTicker(200 * time.Microsecond)
	defer ticker.Stop()
	for version := int64(1); ; version++ {
		select {
		case <-stop:
			return
		case <-ticker.C:
		}
		topic := fmt.Sprintf("brand:%d", random.IntN(randomClientTopics))
		e := event(topic, market.TypeProductChanged, fmt.Sprint("p", writer), version)
		if err := h.broker.Publish(context.Background(), []market.Event{e}); err != nil {
			h.t.Error(err)
			return
		}
	}
}

// randomClient is a client that acts at random and checks every frame.
type randomClient struct {
	harness *harness
	token   string
	random  *rand.Rand
	ws      *websocket.Conn
	pending map[string]string       // positions of the subscriptions without a response
	last    map[string]hub.Position // the position of the last event of each topic
	live    map[string]bool         // the subscribed topics
	err     error
}

func newRandomClient(h *harness, token string, seed uint64) *randomClient {
	return &randomClient{
		harness: h, token: token, random: rand.New(rand.NewPCG(seed, 3)),
		last: map[string]hub.Position{}, live: map[string]bool{},
	}
}

// run reads events between random actions, and fails the test at the first unexpected frame.
func (c *randomClient) run() {
	for round := range 40 {
		if c.ws == nil || c.random.IntN(4) == 0 {
			c.connect()
		}
		c.subscribe()
		for range 1 + c.random.IntN(20) {
			if c.pending != nil || len(c.live) > 0 {
				c.readFrame()
			}
		}
		if c.err != nil {
			c.harness.t.Errorf("round %d: %v", round, c.err)
			break
		}
		if c.random.IntN(5) == 0 {
			c.unsubscribe()
		}
	}
	if c.ws != nil {
		_ = c.ws.Close()
	}
}

func (c *randomClient) connect() {
	if c.ws != nil {
		_ = c.ws.Close()
	}
	c.ws = nil
	var response handshakeResult
	if response, c.err = c.harness.handshake(nil, hub.Subprotocol, "bearer."+c.token); c.err == nil {
		c.ws = response.ws
	}
	clear(c.live)
	c.pending = nil
}

// subscribe subscribes to one topic from the client's position, or a little before it. Events before
// the response belong to the subscription that it replaces.
func (c *randomClient) subscribe() {
	if c.err != nil || c.pending != nil {
		return
	}
	topic := fmt.Sprintf("brand:%d", c.random.IntN(randomClientTopics))
	from, known := c.last[topic]
	if !known {
		var text string
		if text, c.err = c.harness.broker.Position(context.Background(), topic); c.err != nil {
			return
		}
		if from, c.err = hub.ParsePosition(text); c.err != nil {
			return
		}
	}
	from.Offset -= min(from.Offset, uint64(c.random.IntN(5)))
	c.pending = map[string]string{topic: from.String()}
	c.send(clientFrame{Subscribe: c.pending})
}

func (c *randomClient) unsubscribe() {
	topic := fmt.Sprintf("brand:%d", c.random.IntN(randomClientTopics))
	if _, isPending := c.pending[topic]; isPending || c.err != nil || !c.live[topic] {
		return
	}
	c.send(clientFrame{Unsubscribe: []string{topic}})
	// Events that were sent before still arrive, so reconnect to ignore them.
	c.connect()
}

func (c *randomClient) send(frame clientFrame) {
	if text, err := json.Marshal(frame); err != nil {
		c.err = err
	} else if err := c.ws.WriteMessage(websocket.TextMessage, text); err != nil {
		c.err = err
	}
}

// clientFrame is a frame that a client sends.
type clientFrame struct {
	Subscribe   map[string]string `json:"subscribe,omitempty"`
	Unsubscribe []string          `json:"unsubscribe,omitempty"`
}

// readFrame reads a frame and checks it.
func (c *randomClient) readFrame() {
	if c.err != nil {
		return
	}
	_ = c.ws.SetReadDeadline(time.Now().Add(patience))
	_, data, err := c.ws.ReadMessage()
	if websocket.IsCloseError(err, hub.CloseRestarting) { // the broker returned an error: reconnect
		c.connect()
		return
	}
	if err != nil {
		c.err = err
		return
	}
	var f frame
	if c.err = json.Unmarshal(data, &f); c.err != nil {
		return
	}
	for topic, position := range f.Subscribed {
		if c.pending[topic] != position {
			c.err = fmt.Errorf("%s is subscribed from %s, want %s", topic, position, c.pending[topic])
			return
		}
		c.last[topic], c.err = hub.ParsePosition(position)
		c.live[topic], c.pending = true, nil
	}
	if len(f.Resync)+len(f.Denied) > 0 {
		c.err = fmt.Errorf("got %s, want no resync and no denied topic", data)
	}
	for _, e := range f.Events {
		c.checkEvent(e)
	}
}

// checkEvent fails unless the event follows the last one of its topic.
func (c *randomClient) checkEvent(e receivedEvent) {
	got, err := hub.ParsePosition(e.Position)
	switch {
	case c.err != nil:
	case err != nil:
		c.err = err
	case !c.live[e.Topic]:
		c.err = fmt.Errorf("got an event of %s without a subscription", e.Topic)
	case got != c.last[e.Topic].Next():
		c.err = fmt.Errorf("%s: %v follows %v", e.Topic, got, c.last[e.Topic])
	default:
		c.last[e.Topic] = got
	}
}
