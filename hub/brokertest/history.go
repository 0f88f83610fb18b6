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
		t.Errorf("a new topic stands at %v", before)
	}
	publish(t, b, events(topic, 3)...)
	publish(t, b, events("other", 1)...)
	after := position(t, b, topic)
	if after.Epoch != before.Epoch || after.Offset != 3 {
		t.Errorf("from %v to %v by three events", before, after)
	}
	if again := position(t, b, topic); again != after {
		t.Errorf("asking moved it from %v to %v", after, again)
	}
}

func order(t *testing.T, open Opener) {
	b := open(t, hub.HistoryLimits{}).Broker
	heard, at := listen(t, b)
	sent := events(topic, 50)
	for i, e := range sent {
		publish(t, b, e, Event("other", e.Entity, int64(i)))
	}
	top := position(t, b, topic)
	got := heard.until(t, top)
	contiguous(t, got, at.Next())
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
			t.Fatalf("since %v: complete %v, top %v, %d entries", p, h.Complete, h.Top, len(h.Entries))
		}
		contiguous(t, h.Entries, p.Next())
	}
}

func historyOutOfReach(t *testing.T, open Opener) {
	b := open(t, hub.HistoryLimits{}).Broker
	publish(t, b, events(topic, 3)...)
	top := position(t, b, topic)
	for name, since := range map[string]hub.Position{
		"not reached yet": top.Next(),
		"another epoch":   {Epoch: "elsewhere", Offset: 1},
		"no epoch":        {},
	} {
		h := history(t, b, since)
		if h.Complete || len(h.Entries) != 0 || h.Top != top {
			t.Errorf("%s: %+v", name, h)
		}
	}
}

func boundedBySize(t *testing.T, open Opener) {
	const size, n = 10, 500
	b := open(t, hub.HistoryLimits{Size: size}).Broker
	publish(t, b, events(topic, n)...)
	top := position(t, b, topic)
	near := hub.Position{Epoch: top.Epoch, Offset: n - size}
	h := history(t, b, near)
	if !h.Complete || len(h.Entries) != size {
		t.Errorf("the last %d: complete %v, %d entries", size, h.Complete, len(h.Entries))
	}
	contiguous(t, h.Entries, near.Next())
	if h := history(t, b, hub.Position{Epoch: top.Epoch}); h.Complete || len(h.Entries) != 0 {
		t.Errorf("the whole: complete %v, %d entries of %d", h.Complete, len(h.Entries), size)
	}
}

// boundedByBytes publishes the same phone many times, each time of the largest size. The
// size of the history must stay within its limit.
func boundedByBytes(t *testing.T, open Opener) {
	const bytes, large, n = 64 << 10, 8 << 10, 100
	b := open(t, hub.HistoryLimits{Bytes: bytes}).Broker
	for i := range n {
		e := Event(topic, "p1", int64(i+1))
		e.Data = fmt.Appendf(nil, `{"_id":"p1","pad":%q}`, strings.Repeat("x", large))
		publish(t, b, e)
	}
	top := position(t, b, topic)
	reach := 0 // how many events back the history goes
	for h := history(t, b, hub.Position{Epoch: top.Epoch, Offset: top.Offset - 1}); h.Complete; {
		size := 0
		for _, e := range h.Entries {
			size += len(e.Event.Data)
		}
		if size > bytes {
			t.Fatalf("%d events of %d bytes are kept, more than %d", len(h.Entries), size, bytes)
		}
		reach++
		h = history(t, b, hub.Position{Epoch: top.Epoch, Offset: top.Offset - uint64(reach) - 1})
	}
	if reach < bytes/large/2 {
		t.Errorf("the history goes back %d events only", reach)
	}
}

func boundedByAge(t *testing.T, open Opener) {
	b := open(t, hub.HistoryLimits{Age: 200 * time.Millisecond, Idle: time.Hour}).Broker
	begin := position(t, b, topic)
	publish(t, b, events(topic, 3)...)
	top := position(t, b, topic)
	eventually(t, "the history no longer reaches back", func() bool {
		return !history(t, b, begin).Complete
	})
	if h := history(t, b, top); h.Top.Epoch == top.Epoch && (!h.Complete || len(h.Entries) != 0) {
		t.Errorf("since the top nothing was missed, got %+v", h)
	}
}

func newEpoch(t *testing.T, open Opener) {
	backend := open(t, hub.HistoryLimits{})
	publish(t, backend.Broker, events(topic, 3)...)
	before := position(t, backend.Broker, topic)
	b := backend.Forget()
	publish(t, b, events(topic, 5)...)
	after := position(t, b, topic)
	if after.Epoch == before.Epoch {
		t.Errorf("the epoch stayed %q", after.Epoch)
	}
	if h := history(t, b, before); h.Complete || len(h.Entries) != 0 {
		t.Errorf("since %v: %+v", before, h)
	}
}
