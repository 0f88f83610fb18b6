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
func TestNoGapNoRepeatNoInversion(t *testing.T) {
	for name, wrap := range map[string]func(*hub.Config){
		"sound broker": nil,
		"lossy broker": func(c *hub.Config) { c.Broker = newLossy(c.Broker, 7) },
	} {
		t.Run(name, func(t *testing.T) {
			h := start(t, func(c *hub.Config) {
				c.Broker = hub.NewMemoryBroker(hub.HistoryLimits{Size: 100_000})
				if wrap != nil {
					wrap(c)
				}
			})
			token := h.person("u1")
			stop := make(chan struct{})
			var writers, readers sync.WaitGroup
			for w := range 3 {
				writers.Go(func() { h.write(w, stop) })
			}
			for i := range 6 {
				readers.Go(func() { newWanderer(h, token, uint64(i)).wander() })
			}
			readers.Wait()
			close(stop)
			writers.Wait()
		})
	}
}

const wanderTopics = 3

// write publishes on random topics, with pauses for readers.
func (h *harness) write(writer int, stop chan struct{}) {
	random := rand.New(rand.NewPCG(uint64(writer), 2))
	pace := time.NewTicker(200 * time.Microsecond)
	defer pace.Stop()
	for version := int64(1); ; version++ {
		select {
		case <-stop:
			return
		case <-pace.C:
		}
		topic := fmt.Sprintf("brand:%d", random.IntN(wanderTopics))
		e := event(topic, market.TypeProductChanged, fmt.Sprint("p", writer), version)
		if err := h.broker.Publish(context.Background(), []market.Event{e}); err != nil {
			h.t.Error(err)
			return
		}
	}
}

// wanderer is a reader with a plan of its own.
type wanderer struct {
	harness *harness
	token   string
	random  *rand.Rand
	ws      *websocket.Conn
	asked   map[string]string       // positions of the subscriptions not yet answered
	at      map[string]hub.Position // the last event of each topic
	live    map[string]bool         // topics in force
	err     error
}

func newWanderer(h *harness, token string, seed uint64) *wanderer {
	return &wanderer{
		harness: h, token: token, random: rand.New(rand.NewPCG(seed, 3)),
		at: map[string]hub.Position{}, live: map[string]bool{},
	}
}

// wander reads events between random actions, and fails the test at the first frame that
// does not follow from the ones before.
func (w *wanderer) wander() {
	for round := range 40 {
		if w.ws == nil || w.random.IntN(4) == 0 {
			w.connect()
		}
		w.subscribe()
		for range 1 + w.random.IntN(20) {
			if w.asked != nil || len(w.live) > 0 {
				w.step()
			}
		}
		if w.err != nil {
			w.harness.t.Errorf("round %d: %v", round, w.err)
			break
		}
		if w.random.IntN(5) == 0 {
			w.unsubscribe()
		}
	}
	if w.ws != nil {
		_ = w.ws.Close()
	}
}

func (w *wanderer) connect() {
	if w.ws != nil {
		_ = w.ws.Close()
	}
	w.ws = nil
	var answer handshake
	if answer, w.err = w.harness.shake(nil, hub.Subprotocol, "bearer."+w.token); w.err == nil {
		w.ws = answer.ws
	}
	clear(w.live)
	w.asked = nil
}

// subscribe subscribes to one topic from the reader's position, or a little before;
// events until the answer belong to the subscription that it replaces.
func (w *wanderer) subscribe() {
	if w.err != nil || w.asked != nil {
		return
	}
	topic := fmt.Sprintf("brand:%d", w.random.IntN(wanderTopics))
	from, known := w.at[topic]
	if !known {
		var text string
		if text, w.err = w.harness.broker.Position(context.Background(), topic); w.err != nil {
			return
		}
		if from, w.err = hub.ParsePosition(text); w.err != nil {
			return
		}
	}
	from.Offset -= min(from.Offset, uint64(w.random.IntN(5)))
	w.asked = map[string]string{topic: from.String()}
	w.send(asking{Subscribe: w.asked})
}

func (w *wanderer) unsubscribe() {
	topic := fmt.Sprintf("brand:%d", w.random.IntN(wanderTopics))
	if _, waiting := w.asked[topic]; waiting || w.err != nil || !w.live[topic] {
		return
	}
	w.send(asking{Unsubscribe: []string{topic}})
	// What was on its way still comes; forget the topic by coming back.
	w.connect()
}

func (w *wanderer) send(ask asking) {
	if text, err := json.Marshal(ask); err != nil {
		w.err = err
	} else if err := w.ws.WriteMessage(websocket.TextMessage, text); err != nil {
		w.err = err
	}
}

// asking is a client's frame.
type asking struct {
	Subscribe   map[string]string `json:"subscribe,omitempty"`
	Unsubscribe []string          `json:"unsubscribe,omitempty"`
}

// step reads a frame and holds it against what must come.
func (w *wanderer) step() {
	if w.err != nil {
		return
	}
	_ = w.ws.SetReadDeadline(time.Now().Add(patience))
	_, data, err := w.ws.ReadMessage()
	if websocket.IsCloseError(err, hub.CloseRestarting) { // the broker could not be asked: come back
		w.connect()
		return
	}
	if err != nil {
		w.err = err
		return
	}
	var f frame
	if w.err = json.Unmarshal(data, &f); w.err != nil {
		return
	}
	for topic, position := range f.Subscribed {
		if w.asked[topic] != position {
			w.err = fmt.Errorf("%s in force from %s, asked from %s", topic, position, w.asked[topic])
			return
		}
		w.at[topic], w.err = hub.ParsePosition(position)
		w.live[topic], w.asked = true, nil
	}
	if len(f.Resync)+len(f.Denied) > 0 {
		w.err = fmt.Errorf("got %s", data)
	}
	for _, e := range f.Events {
		w.follow(e)
	}
}

func (w *wanderer) follow(e gotEvent) {
	got, err := hub.ParsePosition(e.Position)
	switch {
	case w.err != nil:
	case err != nil:
		w.err = err
	case !w.live[e.Topic]:
		w.err = fmt.Errorf("%s comes without a subscription", e.Topic)
	case got != w.at[e.Topic].Next():
		w.err = fmt.Errorf("%s: %v follows %v", e.Topic, got, w.at[e.Topic])
	default:
		w.at[e.Topic] = got
	}
}
