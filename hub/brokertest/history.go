package brokertest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"secondring/hub"
)

const topic = "brand:b1"

func positionsCount(t *testing.T, open Opener) {
	b := open(t, hub.HistoryLimits{}).Broker
	before := position(t, b, topic)
	if before.Offset != 0 || before.Epoch == "" {
		t.Errorf("the position of a new topic is %v, want offset 0 and an epoch", before)
	}
	publish(t, b, events(topic, 3)...)
	publish(t, b, events("other", 1)...)
	after := position(t, b, topic)
	if after.Epoch != before.Epoch || after.Offset != 3 {
		t.Errorf("after three events the position is %v, want offset 3 of epoch %s", after, before.Epoch)
	}
	if again := position(t, b, topic); again != after {
		t.Errorf("the second call of Position returns %v, want %v", again, after)
	}
}

func order(t *testing.T, open Opener) {
	b := open(t, hub.HistoryLimits{}).Broker
	r, at := listen(t, b)
	sent := events(topic, 50)
	for i, e := range sent {
		publish(t, b, e, Event("other", e.Entity, int64(i)))
	}
	top := position(t, b, topic)
	got := r.until(t, top)
	wantContiguous(t, got, at.Next())
	for i, e := range got {
		if e.Event.Entity != sent[i].Entity || string(e.Event.Data) != string(sent[i].Data) ||
			!e.Event.At.Equal(sent[i].At) || e.Event.Type != sent[i].Type ||
			e.Event.Version != sent[i].Version || e.Event.Topic != topic {
			t.Fatalf("event %d: got %+v, want %+v", i, e.Event, sent[i])
		}
	}
}

func historySince(t *testing.T, open Opener) {
	b := open(t, hub.HistoryLimits{}).Broker
	const n = 10
	since := make([]hub.Position, 0, n+1)
	since = append(since, position(t, b, topic))
	for _, e := range events(topic, n) {
		publish(t, b, e)
		since = append(since, position(t, b, topic))
	}
	for i, p := range since {
		h := history(t, b, p)
		if !h.Complete || h.Top != since[n] || len(h.Entries) != n-i {
			t.Fatalf("history since %v has %d entries up to %v, complete: %v; want %d entries", p, len(h.Entries), h.Top, h.Complete, n-i)
		}
		wantContiguous(t, h.Entries, p.Next())
	}
}

func incompleteHistories(t *testing.T, open Opener) {
	b := open(t, hub.HistoryLimits{}).Broker
	publish(t, b, events(topic, 3)...)
	top := position(t, b, topic)
	for name, since := range map[string]hub.Position{
		"future position": top.Next(),
		"another epoch":   {Epoch: "another", Offset: 1},
		"no epoch":        {},
	} {
		h := history(t, b, since)
		if h.Complete || len(h.Entries) != 0 || h.Top != top {
			t.Errorf("%s: history is %+v, want an incomplete one", name, h)
		}
	}
}

func limitedBySize(t *testing.T, open Opener) {
	const size, n = 10, 500
	b := open(t, hub.HistoryLimits{Size: size}).Broker
	publish(t, b, events(topic, n)...)
	top := position(t, b, topic)
	since := hub.Position{Epoch: top.Epoch, Offset: n - size}
	h := history(t, b, since)
	if !h.Complete || len(h.Entries) != size {
		t.Errorf("history has %d entries, complete: %v; want the last %d", len(h.Entries), h.Complete, size)
	}
	wantContiguous(t, h.Entries, since.Next())
	if h := history(t, b, hub.Position{Epoch: top.Epoch}); h.Complete || len(h.Entries) != 0 {
		t.Errorf("history since the beginning has %d entries, complete: %v; want an incomplete one", len(h.Entries), h.Complete)
	}
}

// limitedByBytes publishes the same phone many times, each time of the largest size. The
// size of the history must stay within its limit.
func limitedByBytes(t *testing.T, open Opener) {
	const bytes, large, n = 64 << 10, 8 << 10, 100
	b := open(t, hub.HistoryLimits{Bytes: bytes}).Broker
	for i := range n {
		e := Event(topic, "p1", int64(i+1))
		e.Data = fmt.Appendf(nil, `{"_id":"p1","pad":%q}`, strings.Repeat("x", large))
		publish(t, b, e)
	}
	top := position(t, b, topic)
	available := 0 // number of the last events that are in the history
	for h := history(t, b, hub.Position{Epoch: top.Epoch, Offset: top.Offset - 1}); h.Complete; {
		size := 0
		for _, e := range h.Entries {
			size += len(e.Event.Data)
		}
		if size > bytes {
			t.Fatalf("the history has %d events of %d bytes, want at most %d bytes", len(h.Entries), size, bytes)
		}
		available++
		h = history(t, b, hub.Position{Epoch: top.Epoch, Offset: top.Offset - uint64(available) - 1})
	}
	if available < bytes/large/2 {
		t.Errorf("the history has %d events, want at least %d", available, bytes/large/2)
	}
}

func limitedByAge(t *testing.T, open Opener) {
	b := open(t, hub.HistoryLimits{Age: 200 * time.Millisecond, Idle: time.Hour}).Broker
	begin := position(t, b, topic)
	publish(t, b, events(topic, 3)...)
	top := position(t, b, topic)
	eventually(t, "the history is incomplete", func() bool {
		return !history(t, b, begin).Complete
	})
	if h := history(t, b, top); h.Top.Epoch == top.Epoch && (!h.Complete || len(h.Entries) != 0) {
		t.Errorf("history since the last event is %+v, want a complete one without entries", h)
	}
}

func newEpoch(t *testing.T, open Opener) {
	backend := open(t, hub.HistoryLimits{})
	publish(t, backend.Broker, events(topic, 3)...)
	before := position(t, backend.Broker, topic)
	b := backend.Restart()
	publish(t, b, events(topic, 5)...)
	after := position(t, b, topic)
	if after.Epoch == before.Epoch {
		t.Errorf("after the loss the epoch is still %q", after.Epoch)
	}
	if h := history(t, b, before); h.Complete || len(h.Entries) != 0 {
		t.Errorf("history since %v is %+v, want an incomplete one", before, h)
	}
}
