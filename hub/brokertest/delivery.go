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
	withoutEntity, withoutVersion := Event(topic, "", 1), Event(topic, "u", 0) // such as control events
	publish(t, b, Event(topic, "a", 2), Event(topic, "b", 1))
	publish(t, b, Event(topic, "a", 2), Event(topic, "a", 1), Event("other", "a", 1))
	publish(t, b, Event(topic, "a", 5), Event(topic, "a", 4), withoutEntity, withoutEntity, withoutVersion, withoutVersion)
	want := []string{"a2", "b1", "a5", "1", "1", "u0", "u0"}
	var got []string
	for _, e := range history(t, b, begin).Entries {
		got = append(got, fmt.Sprint(e.Event.Entity, e.Event.Version))
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if n := position(t, b, "other").Offset; n != 1 {
		t.Errorf("the offset of another topic is %d, want 1, because topics have separate versions", n)
	}
}

func republish(t *testing.T, open Opener) {
	backend := open(t, hub.HistoryLimits{})
	r, _ := listen(t, backend.Broker)
	outbox := []market.Event{Event(topic, "a", 1), Event(topic, "b", 1), Event(topic, "a", 2), Event(topic, "c", 3)}
	for range 3 {
		publish(t, backend.Broker, outbox...)
		publish(t, backend.Peer, outbox...)
	}
	publish(t, backend.Broker, outbox[:2]...)
	publish(t, backend.Broker, Event(topic, "last", 1))
	top := position(t, backend.Broker, topic)
	if top.Offset != uint64(len(outbox))+1 {
		t.Errorf("the position is %v, want offset %d", top, len(outbox)+1)
	}
	if got := r.until(t, top); len(got) != len(outbox)+1 {
		t.Errorf("received %d events, want %d", len(got), len(outbox)+1)
	}
}

func manyListeners(t *testing.T, open Opener) {
	b := open(t, hub.HistoryLimits{}).Broker
	first, _ := listen(t, b)
	second, _ := listen(t, b)
	publish(t, b, events(topic, 5)...)
	top := position(t, b, topic)
	for _, r := range []*recorder{first, second} {
		if got := r.until(t, top); len(got) != 5 {
			t.Errorf("received %d events, want 5", len(got))
		}
	}
}

func unsubscribeStops(t *testing.T, open Opener) {
	b := open(t, hub.HistoryLimits{}).Broker
	subscribed, _ := listen(t, b)
	unsubscribed, _ := listen(t, b)
	publish(t, b, Event(topic, "a", 1))
	unsubscribed.until(t, position(t, b, topic))
	if err := b.Unsubscribe(t.Context(), topic, unsubscribed); err != nil {
		t.Fatal(err)
	}
	publish(t, b, Event(topic, "a", 2))
	subscribed.until(t, position(t, b, topic))
	if n := len(unsubscribed.all()); n != 1 {
		t.Errorf("received %d events, want only the first one", n)
	}
	if err := b.Unsubscribe(t.Context(), topic, unsubscribed); err != nil {
		t.Errorf("the second Unsubscribe: %v", err)
	}
	other, _ := listen(t, b)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_ = b.Unsubscribe(cancelled, topic, other) // it may fail, but no event may follow
	publish(t, b, Event(topic, "a", 3))
	subscribed.until(t, position(t, b, topic))
	if n := len(other.all()); n != 0 {
		t.Errorf("received %d events after Unsubscribe with a cancelled context, want none", n)
	}
	if err := b.Unsubscribe(t.Context(), "never", unsubscribed); err != nil {
		t.Errorf("Unsubscribe from a topic without a subscription: %v", err)
	}
}

// HasListenerWithin of each node includes the listeners of all nodes, and for PresenceRetention those that
// have unsubscribed.
func hasListenerWithin(t *testing.T, open Opener) {
	backend := open(t, hub.HistoryLimits{})
	me := market.TopicMe("ann")
	hasListenerWithin := func(d time.Duration) bool { // according to both nodes
		t.Helper()
		for _, b := range []hub.Broker{backend.Broker, backend.Peer} {
			hasListener, err := b.HasListenerWithin(t.Context(), me, d)
			if err != nil {
				t.Fatal(err)
			}
			if !hasListener {
				return false
			}
		}
		return true
	}
	if hasListenerWithin(time.Minute) {
		t.Error("HasListenerWithin is true before anybody has subscribed")
	}
	first, last := newRecorder(), newRecorder()
	for _, r := range []*recorder{first, last} {
		if _, err := backend.Peer.Subscribe(t.Context(), me, r); err != nil {
			t.Fatal(err)
		}
	}
	if !hasListenerWithin(0) {
		t.Error("HasListenerWithin is false while two listeners are subscribed")
	}
	if err := backend.Peer.Unsubscribe(t.Context(), me, first); err != nil {
		t.Fatal(err)
	}
	if !hasListenerWithin(0) {
		t.Error("HasListenerWithin is false while one listener is subscribed")
	}
	if err := backend.Peer.Unsubscribe(t.Context(), me, last); err != nil {
		t.Fatal(err)
	}
	eventually(t, "HasListenerWithin(0) is false without listeners", func() bool { return !hasListenerWithin(0) })
	if !hasListenerWithin(time.Minute) {
		t.Error("HasListenerWithin(time.Minute) is false immediately after the last unsubscribe")
	}
}

func twoNodes(t *testing.T, open Opener) {
	backend := open(t, hub.HistoryLimits{})
	local, _ := listen(t, backend.Broker)
	remote, _ := listen(t, backend.Peer)
	publish(t, backend.Broker, Event(topic, "a", 1))
	publish(t, backend.Peer, Event(topic, "a", 2))
	publish(t, backend.Broker, Event(topic, "a", 1))
	top := position(t, backend.Peer, topic)
	if top.Offset != 2 || position(t, backend.Broker, topic) != top {
		t.Errorf("the positions of the nodes are %v and %v, want the same with offset 2", position(t, backend.Broker, topic), top)
	}
	for _, r := range []*recorder{local, remote} {
		got := r.until(t, top)
		if len(got) != 2 || got[0].Event.Version != 1 || got[1].Event.Version != 2 {
			t.Errorf("got %+v", got)
		}
	}
}

func noGap(t *testing.T, open Opener) {
	backend := open(t, hub.HistoryLimits{})
	position(t, backend.Broker, topic) // creates the topic, because two nodes may both create it at once
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
	type subscription struct {
		r  *recorder
		at hub.Position
	}
	subscriptions := make([]subscription, 20)
	for i := range subscriptions {
		subscriptions[i].r, subscriptions[i].at = listen(t, backend.Broker)
	}
	wg.Wait()
	publish(t, backend.Broker, Event(topic, "last", 1))
	top := position(t, backend.Broker, topic)
	for _, s := range subscriptions {
		got := s.r.until(t, top)
		for len(got) > 0 && s.at.Covers(got[0].Position) {
			got = got[1:] // events up to the position may arrive too
		}
		wantContiguous(t, got, s.at.Next())
	}
}

func concurrent(t *testing.T, open Opener) {
	const writers, rounds, entities = 4, 100, 5
	backend := open(t, hub.HistoryLimits{Size: writers * rounds})
	r, begin := listen(t, backend.Broker)
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
	got := r.until(t, top)
	wantContiguous(t, got, begin.Next())
	last := map[string]int64{}
	for _, e := range got {
		if before, seen := last[e.Event.Entity]; seen && e.Event.Version <= before {
			t.Fatalf("version %d of %s follows version %d", e.Event.Version, e.Event.Entity, before)
		}
		last[e.Event.Entity] = e.Event.Version
	}
	for i := range int64(entities) {
		if want := (rounds - entities + i + 1) * writers; last[fmt.Sprint("e", i)] != want {
			t.Errorf("the last version of e%d is %d, want %d", i, last[fmt.Sprint("e", i)], want)
		}
	}
	if h := history(t, backend.Peer, begin); !h.Complete || len(h.Entries) != len(got) {
		t.Errorf("the history has %d entries, but %d events were received", len(h.Entries), len(got))
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

// calls calls each method and returns the errors by method name.
func calls(ctx context.Context, b hub.Broker) map[string]error {
	errs := map[string]error{"Publish": b.Publish(ctx, events(topic, 1))}
	_, errs["Position"] = b.Position(ctx, topic)
	_, errs["Subscribe"] = b.Subscribe(ctx, topic, newRecorder())
	_, errs["HasListenerWithin"] = b.HasListenerWithin(ctx, topic, 0)
	_, errs["History"] = b.History(ctx, topic, hub.Position{})
	return errs
}
