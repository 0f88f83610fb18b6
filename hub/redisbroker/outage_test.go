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
	m := &testMarket{versions: map[string]map[string]int64{}}
	var nodes []node
	for range 2 {
		nodes = append(nodes, startNode(t, s))
	}
	all := make([]*screen, screens)
	for i := range all {
		all[i] = openScreen(t, m, nodes[i%2].url, fmt.Sprint("brand:", i%brands))
	}
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for i, n := range nodes {
		writers.Go(func() { m.changePhones(n.broker, stop, uint64(i)) })
	}
	for range kills {
		before := m.published()
		eventually(t, "phones change", func() bool { return m.published() > before+20 })
		s.Kill()
		s.Restart(t)
	}
	before := m.published()
	eventually(t, "phones change after the last restart", func() bool { return m.published() > before+20 })
	close(stop)
	writers.Wait()

	deadline := time.Now().Add(recoveryTime)
	for _, s := range all {
		s.waitUntilCurrent(t, m, deadline)
	}
}

// node is a hub with the shared Redis.
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

// testMarket has the current version of each phone of each brand.
type testMarket struct {
	mu       sync.Mutex
	versions map[string]map[string]int64
	count    int // published changes
}

// changePhones changes phones until stop is closed. It repeats each Publish until it succeeds, as the
// relay does.
func (m *testMarket) changePhones(to hub.Broker, stop <-chan struct{}, seed uint64) {
	r := rand.New(rand.NewPCG(3, seed))
	for {
		topic, phone := fmt.Sprint("brand:", r.IntN(brands)), fmt.Sprint("p", r.IntN(phones))
		e := brokertest.Event(topic, phone, m.change(topic, phone))
		for to.Publish(context.Background(), []market.Event{e}) != nil {
			<-time.After(20 * time.Millisecond)
		}
		m.mu.Lock()
		m.count++
		m.mu.Unlock()
		select {
		case <-stop:
			return
		default:
		}
	}
}

func (m *testMarket) change(topic, phone string) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.versions[topic] == nil {
		m.versions[topic] = map[string]int64{}
	}
	m.versions[topic][phone]++
	return m.versions[topic][phone]
}

func (m *testMarket) published() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.count
}

// list returns the current versions of a brand's phones.
func (m *testMarket) list(topic string) map[string]int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.versions[topic])
}

// screen is a client that follows the live protocol.
type screen struct {
	topic   string
	mu      sync.Mutex
	shown   map[string]int64
	changed chan struct{}
}

func openScreen(t *testing.T, m *testMarket, url, topic string) *screen {
	t.Helper()
	socket, _, err := websocket.DefaultDialer.DialContext(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := socket.WriteJSON(map[string]any{"subscribe": map[string]string{topic: ""}}); err != nil {
		t.Fatal(err)
	}
	s := &screen{topic: topic, shown: map[string]int64{}, changed: make(chan struct{}, 1)}
	ready, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		s.read(socket, m, ready)
	}()
	t.Cleanup(func() {
		_ = socket.Close()
		<-ended
	})
	<-ready
	return s
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

// read handles frames until the socket ends. It closes ready when it has fetched the list for the
// first time.
func (s *screen) read(socket *websocket.Conn, m *testMarket, ready chan<- struct{}) {
	isReady := false
	for {
		_, text, err := socket.ReadMessage()
		if err != nil {
			return
		}
		var f frame
		if json.Unmarshal(text, &f) != nil {
			return
		}
		s.handle(f, m)
		if len(f.Subscribed) > 0 && !isReady {
			isReady = true
			close(ready)
		}
	}
}

func (s *screen) handle(f frame, m *testMarket) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(f.Subscribed) > 0 || len(f.Resync) > 0 {
		for id, version := range m.list(s.topic) {
			s.shown[id] = max(s.shown[id], version)
		}
	}
	for _, e := range f.Events {
		s.shown[e.Data.ID] = max(s.shown[e.Data.ID], e.Data.Version)
	}
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// waitUntilCurrent waits until the screen shows the current versions, and fails the test at the
// deadline.
func (s *screen) waitUntilCurrent(t *testing.T, m *testMarket, deadline time.Time) {
	t.Helper()
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	want := m.list(s.topic)
	for {
		s.mu.Lock()
		shown := maps.Clone(s.shown)
		s.mu.Unlock()
		if maps.Equal(shown, want) {
			return
		}
		select {
		case <-s.changed:
		case <-timer.C:
			t.Fatalf("the screen of %s shows %v, want %v", s.topic, shown, want)
		}
	}
}
