package redisbroker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"secondring/hub"
	"secondring/hub/brokertest"
	"secondring/hub/redisbroker/redistest"
	"secondring/market"
)

const (
	kills        = 10
	screens      = 2000
	brands       = 4
	phones       = 10 // of each brand
	recoveryTime = 5 * time.Second
)

// Redis is killed ten times with 2,000 sockets on two nodes while phones change. Five
// seconds after the last restart every screen is current.
func TestScreensAreCurrentAfterRedisIsKilled(t *testing.T) {
	s := redistest.Start(t)
	shop := &shop{versions: map[string]map[string]int64{}}
	var nodes []node
	for range 2 {
		nodes = append(nodes, startNode(t, s))
	}
	all := make([]*screen, screens)
	for i := range all {
		all[i] = openScreen(t, shop, nodes[i%2].url, fmt.Sprint("brand:", i%brands))
	}
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for i, n := range nodes {
		writers.Go(func() { shop.trade(n.broker, stop, uint64(i)) })
	}
	for range kills {
		before := shop.published()
		eventually(t, "phones change", func() bool { return shop.published() > before+20 })
		s.Kill()
		s.Restart(t)
	}
	before := shop.published()
	eventually(t, "phones change after the last time", func() bool { return shop.published() > before+20 })
	close(stop)
	writers.Wait()

	deadline := time.Now().Add(recoveryTime)
	for _, n := range all {
		n.mustBeTrue(t, shop, deadline)
	}
}

// node is one hub over the one Redis.
type node struct {
	broker hub.Broker
	url    string
}

func startNode(t *testing.T, s *redistest.Server) node {
	t.Helper()
	b := open(t, s, hub.HistoryLimits{})
	h, err := hub.New(hub.Config{Broker: b, Authorize: hub.AllowAnyTopic, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := h.Close(ctx); err != nil {
			t.Error(err)
		}
		server.Close()
	})
	return node{broker: b, url: "ws" + strings.TrimPrefix(server.URL, "http")}
}

// shop is the truth: the version of each phone of each brand.
type shop struct {
	mu       sync.Mutex
	versions map[string]map[string]int64
	out      int
}

// trade changes phones. It publishes each change as the relay does: repeatedly, until Redis
// has it.
func (s *shop) trade(to hub.Broker, stop <-chan struct{}, seed uint64) {
	r := rand.New(rand.NewPCG(3, seed))
	for {
		topic, phone := fmt.Sprint("brand:", r.IntN(brands)), fmt.Sprint("p", r.IntN(phones))
		e := brokertest.Event(topic, phone, s.change(topic, phone))
		for to.Publish(context.Background(), []market.Event{e}) != nil {
			<-time.After(20 * time.Millisecond) // as the relay does
		}
		s.mu.Lock()
		s.out++
		s.mu.Unlock()
		select {
		case <-stop:
			return
		default:
		}
	}
}

func (s *shop) change(topic, phone string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.versions[topic] == nil {
		s.versions[topic] = map[string]int64{}
	}
	s.versions[topic][phone]++
	return s.versions[topic][phone]
}

func (s *shop) published() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out
}

// list is what a screen fetches.
func (s *shop) list(topic string) map[string]int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.versions[topic])
}

// screen is a client that keeps to the live protocol.
type screen struct {
	topic   string
	mu      sync.Mutex
	shown   map[string]int64
	changed chan struct{}
}

func openScreen(t *testing.T, s *shop, url, topic string) *screen {
	t.Helper()
	socket, _, err := websocket.DefaultDialer.DialContext(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := socket.WriteJSON(map[string]any{"subscribe": map[string]string{topic: ""}}); err != nil {
		t.Fatal(err)
	}
	n := &screen{topic: topic, shown: map[string]int64{}, changed: make(chan struct{}, 1)}
	ready, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		n.read(socket, s, ready)
	}()
	t.Cleanup(func() {
		_ = socket.Close()
		<-ended
	})
	<-ready
	return n
}

type frame struct {
	Subscribed map[string]string
	Resync     []string
	Events     []struct {
		Data struct {
			ID      string `json:"_id"`
			Version int64
		}
	}
}

// read takes frames until the socket ends; ready is closed once the list was
// fetched for the first time.
func (n *screen) read(socket *websocket.Conn, s *shop, ready chan<- struct{}) {
	begun := false
	for {
		_, text, err := socket.ReadMessage()
		if err != nil {
			return
		}
		var f frame
		if json.Unmarshal(text, &f) != nil {
			return
		}
		n.take(f, s)
		if len(f.Subscribed) > 0 && !begun {
			begun = true
			close(ready)
		}
	}
}

func (n *screen) take(f frame, s *shop) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(f.Subscribed) > 0 || len(f.Resync) > 0 {
		for id, version := range s.list(n.topic) {
			n.shown[id] = max(n.shown[id], version)
		}
	}
	for _, e := range f.Events {
		n.shown[e.Data.ID] = max(n.shown[e.Data.ID], e.Data.Version)
	}
	select {
	case n.changed <- struct{}{}:
	default:
	}
}

// mustBeTrue waits until the screen shows what is, and fails after the deadline.
func (n *screen) mustBeTrue(t *testing.T, s *shop, deadline time.Time) {
	t.Helper()
	late := time.NewTimer(time.Until(deadline))
	defer late.Stop()
	want := s.list(n.topic)
	for {
		n.mu.Lock()
		shown := maps.Clone(n.shown)
		n.mu.Unlock()
		if maps.Equal(shown, want) {
			return
		}
		select {
		case <-n.changed:
		case <-late.C:
			t.Fatalf("%s shows %v, is %v", n.topic, shown, want)
		}
	}
}
