package brokertest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"secondring/hub"
	"secondring/market"
)

// Backend is a broker and the server that it uses.
type Backend struct {
	Broker hub.Broker
	// Peer is another node's broker on the same backend, or Broker itself if there can
	// be only one.
	Peer hub.Broker
	// Restart restarts the backend, which loses everything, and returns the
	// broker to use from then on.
	Restart func() hub.Broker
}

// Opener opens a new, empty backend, and closes it with the test's Cleanup.
type Opener func(t *testing.T, limits hub.HistoryLimits) Backend

// Run runs the suite. Each test opens a backend of its own.
func Run(t *testing.T, open Opener) {
	for name, test := range map[string]func(*testing.T, Opener){
		"positions count per topic":                      positionsCount,
		"order per topic":                                order,
		"history since a position":                       historySince,
		"incomplete histories":                           incompleteHistories,
		"history is limited by size":                     limitedBySize,
		"history is limited by bytes":                    limitedByBytes,
		"history is limited by age":                      limitedByAge,
		"data loss begins a new epoch":                   newEpoch,
		"versions never go backwards":                    versions,
		"repeated publishing has no effect":              republish,
		"many listeners, one subscription":               manyListeners,
		"unsubscribe stops":                              unsubscribeStops,
		"two nodes":                                      twoNodes,
		"HasListenerWithin knows listeners of all nodes": hasListenerWithin,
		"subscribing leaves no gap":                      noGap,
		"concurrent publishers":                          concurrent,
		"cancelled contexts":                             contexts,
		"calls after Close":                              closed,
	} {
		t.Run(name, func(t *testing.T) {
			leaks := goleak.IgnoreCurrent()
			t.Cleanup(func() { goleak.VerifyNone(t, leaks) })
			test(t, open)
		})
	}
}

// patience is how long a test waits for an event.
const patience = 3 * time.Minute

// Event returns an event of a product. Its data contains the version too.
func Event(topic, entity string, version int64) market.Event {
	return market.Event{
		Topic: topic, Type: market.TypeProductChanged, At: time.Unix(1_800_000_000, 0).UTC(),
		Entity: entity, Version: version,
		Data: json.RawMessage(fmt.Sprintf(`{"_id":%q,"version":%d}`, entity, version)),
	}
}

// events returns one event for each of n entities.
func events(topic string, n int) []market.Event {
	all := make([]market.Event, n)
	for i := range all {
		all[i] = Event(topic, fmt.Sprintf("e%d", i), 1)
	}
	return all
}

func publish(t *testing.T, b hub.Broker, events ...market.Event) {
	t.Helper()
	if err := b.Publish(t.Context(), events); err != nil {
		t.Fatal(err)
	}
}

func position(t *testing.T, b hub.Broker, topic string) hub.Position {
	t.Helper()
	text, err := b.Position(t.Context(), topic)
	if err != nil {
		t.Fatal(err)
	}
	p, err := hub.ParsePosition(text)
	if err != nil {
		t.Fatalf("position %q: %v", text, err)
	}
	return p
}

func history(t *testing.T, b hub.Broker, since hub.Position) hub.History {
	t.Helper()
	h, err := b.History(t.Context(), topic, since)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// recorder is a listener that stores the events. It fills a gap from the history, by
// offset, as the comment of Broker requires.
type recorder struct {
	mu      sync.Mutex
	entries []hub.Entry
	gaps    int
	changed chan struct{}
}

func newRecorder() *recorder { return &recorder{changed: make(chan struct{}, 1)} }

// Event implements hub.Listener.
func (r *recorder) Event(e hub.Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entries = append(r.entries, e)
	select {
	case r.changed <- struct{}{}:
	default:
	}
}

// Gap implements hub.Listener.
func (r *recorder) Gap() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gaps++
}

func (r *recorder) all() []hub.Entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]hub.Entry(nil), r.entries...)
}

// until waits for an entry at or after the position, and returns all entries.
func (r *recorder) until(t *testing.T, at hub.Position) []hub.Entry {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		all := r.all()
		if len(all) > 0 && all[len(all)-1].Position.Covers(at) {
			return all
		}
		select {
		case <-r.changed:
		case <-deadline.C:
			t.Fatalf("received %d events, but none at %v", len(all), at)
		}
	}
}

// listen subscribes a new recorder to the topic.
func listen(t *testing.T, b hub.Broker) (*recorder, hub.Position) {
	t.Helper()
	r := newRecorder()
	at, err := b.Subscribe(t.Context(), topic, r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Unsubscribe(context.Background(), topic, r) })
	return r, at
}

// eventually calls ok repeatedly until it returns true or patience is over.
func eventually(t *testing.T, condition string, ok func() bool) {
	t.Helper()
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for !ok() {
		select {
		case <-ticker.C:
		case <-deadline.C:
			t.Fatalf("timeout: %s", condition)
		}
	}
}

// wantContiguous fails the test unless the entries have consecutive positions from first.
func wantContiguous(t *testing.T, entries []hub.Entry, first hub.Position) {
	t.Helper()
	want := first
	for i, e := range entries {
		if e.Position != want {
			t.Fatalf("entry %d is at %v, want %v", i, e.Position, want)
		}
		want = want.Next()
	}
}
