package brokertest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"secondring/hub"
	"secondring/market"
)

func versions(t *testing.T, open Opener) {
	b := open(t, hub.HistoryLimits{}).Broker
	begin := position(t, b, topic)
	bare, unversioned := Event(topic, "", 1), Event(topic, "u", 0) // such as control events
	publish(t, b, Event(topic, "a", 2), Event(topic, "b", 1))
	publish(t, b, Event(topic, "a", 2), Event(topic, "a", 1), Event("other", "a", 1))
	publish(t, b, Event(topic, "a", 5), Event(topic, "a", 4), bare, bare, unversioned, unversioned)
	want := []string{"a2", "b1", "a5", "1", "1", "u0", "u0"}
	var got []string
	for _, e := range history(t, b, begin).Entries {
		got = append(got, fmt.Sprint(e.Event.Entity, e.Event.Version))
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if n := position(t, b, "other").Offset; n != 1 {
		t.Errorf("another topic stands at %d, want 1: versions are each topic's own", n)
	}
}

func republish(t *testing.T, open Opener) {
	backend := open(t, hub.HistoryLimits{})
	heard, _ := listen(t, backend.Broker)
	outbox := []market.Event{Event(topic, "a", 1), Event(topic, "b", 1), Event(topic, "a", 2), Event(topic, "c", 3)}
	for range 3 {
		publish(t, backend.Broker, outbox...)
		publish(t, backend.Peer, outbox...)
	}
	publish(t, backend.Broker, outbox[:2]...)
	publish(t, backend.Broker, Event(topic, "last", 1))
	top := position(t, backend.Broker, topic)
	if top.Offset != uint64(len(outbox))+1 {
		t.Errorf("stands at %v, want each event once", top)
	}
	if got := heard.until(t, top); len(got) != len(outbox)+1 {
		t.Errorf("heard %d events", len(got))
	}
}

func manyListeners(t *testing.T, open Opener) {
	b := open(t, hub.HistoryLimits{}).Broker
	one, _ := listen(t, b)
	two, _ := listen(t, b)
	publish(t, b, events(topic, 5)...)
	top := position(t, b, topic)
	for _, r := range []*recorder{one, two} {
		if got := r.until(t, top); len(got) != 5 {
			t.Errorf("heard %d events, want 5", len(got))
		}
	}
}

func unsubscribeStops(t *testing.T, open Opener) {
	b := open(t, hub.HistoryLimits{}).Broker
	stays, _ := listen(t, b)
	goes, _ := listen(t, b)
	publish(t, b, Event(topic, "a", 1))
	goes.until(t, position(t, b, topic))
	if err := b.Unsubscribe(t.Context(), topic, goes); err != nil {
		t.Fatal(err)
	}
	publish(t, b, Event(topic, "a", 2))
	stays.until(t, position(t, b, topic))
	if n := len(goes.all()); n != 1 {
		t.Errorf("heard %d events, want the first only", n)
	}
	if err := b.Unsubscribe(t.Context(), topic, goes); err != nil {
		t.Errorf("a second time: %v", err)
	}
	late, _ := listen(t, b)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_ = b.Unsubscribe(ended, topic, late) // it may fail, but no event may follow
	publish(t, b, Event(topic, "a", 3))
	stays.until(t, position(t, b, topic))
	if n := len(late.all()); n != 0 {
		t.Errorf("heard %d events after an unsubscribe out of time", n)
	}
	if err := b.Unsubscribe(t.Context(), "never", goes); err != nil {
		t.Errorf("a topic never subscribed: %v", err)
	}
}

// A node knows the listeners of all nodes, and for LeftKept those that have left.
func heardWithin(t *testing.T, open Opener) {
	backend := open(t, hub.HistoryLimits{})
	me := market.TopicMe("ann")
	heard := func(d time.Duration) bool { // by all nodes
		t.Helper()
		for _, b := range []hub.Broker{backend.Broker, backend.Peer} {
			is, err := b.HeardWithin(t.Context(), me, d)
			if err != nil {
				t.Fatal(err)
			}
			if !is {
				return false
			}
		}
		return true
	}
	if heard(time.Minute) {
		t.Error("heard before anybody listened")
	}
	first, last := newRecorder(), newRecorder()
	for _, r := range []*recorder{first, last} {
		if _, err := backend.Peer.Subscribe(t.Context(), me, r); err != nil {
			t.Fatal(err)
		}
	}
	if !heard(0) {
		t.Error("not heard while two listen")
	}
	if err := backend.Peer.Unsubscribe(t.Context(), me, first); err != nil {
		t.Fatal(err)
	}
	if !heard(0) {
		t.Error("not heard while one listens")
	}
	if err := backend.Peer.Unsubscribe(t.Context(), me, last); err != nil {
		t.Fatal(err)
	}
	eventually(t, "nobody listens", func() bool { return !heard(0) })
	if !heard(time.Minute) {
		t.Error("forgotten at once")
	}
}

func twoNodes(t *testing.T, open Opener) {
	backend := open(t, hub.HistoryLimits{})
	here, _ := listen(t, backend.Broker)
	there, _ := listen(t, backend.Peer)
	publish(t, backend.Broker, Event(topic, "a", 1))
	publish(t, backend.Peer, Event(topic, "a", 2))
	publish(t, backend.Broker, Event(topic, "a", 1))
	top := position(t, backend.Peer, topic)
	if top.Offset != 2 || position(t, backend.Broker, topic) != top {
		t.Errorf("the nodes stand at %v and %v", position(t, backend.Broker, topic), top)
	}
	for _, r := range []*recorder{here, there} {
		got := r.until(t, top)
		if len(got) != 2 || got[0].Event.Version != 1 || got[1].Event.Version != 2 {
			t.Errorf("got %+v", got)
		}
	}
}

func noGap(t *testing.T, open Opener) {
	backend := open(t, hub.HistoryLimits{})
	position(t, backend.Broker, topic) // of two nodes that begin a new server at once, each may begin the topic
	const n = 400
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, e := range events(topic, n) {
			if err := backend.Peer.Publish(context.Background(), []market.Event{e}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	type join struct {
		heard *recorder
		at    hub.Position
	}
	joins := make([]join, 20)
	for i := range joins {
		joins[i].heard, joins[i].at = listen(t, backend.Broker)
	}
	wg.Wait()
	publish(t, backend.Broker, Event(topic, "last", 1))
	top := position(t, backend.Broker, topic)
	for _, j := range joins {
		got := j.heard.until(t, top)
		for len(got) > 0 && j.at.Covers(got[0].Position) {
			got = got[1:] // at or before the position: may come too
		}
		contiguous(t, got, j.at.Next())
	}
}

func concurrent(t *testing.T, open Opener) {
	const writers, rounds, entities = 4, 100, 5
	backend := open(t, hub.HistoryLimits{Size: writers * rounds})
	heard, begin := listen(t, backend.Broker)
	var wg sync.WaitGroup
	for w := range writers {
		b := backend.Broker
		if w%2 == 1 {
			b = backend.Peer
		}
		wg.Go(func() {
			for i := range int64(rounds) {
				e := Event(topic, fmt.Sprint("e", i%entities), i*writers+int64(w)+1)
				if err := b.Publish(context.Background(), []market.Event{e}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	publish(t, backend.Broker, Event(topic, "last", 1))
	top := position(t, backend.Broker, topic)
	got := heard.until(t, top)
	contiguous(t, got, begin.Next())
	last := map[string]int64{}
	for _, e := range got {
		if before, seen := last[e.Event.Entity]; seen && e.Event.Version <= before {
			t.Fatalf("%s went from version %d to %d", e.Event.Entity, before, e.Event.Version)
		}
		last[e.Event.Entity] = e.Event.Version
	}
	for i := range int64(entities) {
		if want := (rounds - entities + i + 1) * writers; last[fmt.Sprint("e", i)] != want {
			t.Errorf("e%d ended at %d, want its highest version %d", i, last[fmt.Sprint("e", i)], want)
		}
	}
	if h := history(t, backend.Peer, begin); !h.Complete || len(h.Entries) != len(got) {
		t.Errorf("history has %d entries, heard %d", len(h.Entries), len(got))
	}
}

func contexts(t *testing.T, open Opener) {
	b := open(t, hub.HistoryLimits{}).Broker
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range calls(ctx, b) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func closed(t *testing.T, open Opener) {
	b := open(t, hub.HistoryLimits{}).Broker
	for range 2 {
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, err := range calls(t.Context(), b) {
		if !errors.Is(err, hub.ErrClosed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// calls makes each call and returns its error by name.
func calls(ctx context.Context, b hub.Broker) map[string]error {
	errs := map[string]error{"Publish": b.Publish(ctx, events(topic, 1))}
	_, errs["Position"] = b.Position(ctx, topic)
	_, errs["Subscribe"] = b.Subscribe(ctx, topic, newRecorder())
	_, errs["HeardWithin"] = b.HeardWithin(ctx, topic, 0)
	_, errs["History"] = b.History(ctx, topic, hub.Position{})
	return errs
}
