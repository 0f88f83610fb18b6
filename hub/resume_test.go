package hub_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"secondring/hub"
	"secondring/market"
)

// products returns events of n phones on a topic, each of version 1.
func products(topic string, n int) []market.Event {
	all := make([]market.Event, n)
	for i := range all {
		all[i] = event(topic, market.TypeProductAdded, fmt.Sprintf("p%d", i), 1)
	}
	return all
}

func ids(events []receivedEvent) []string {
	var all []string
	for _, e := range events {
		all = append(all, e.Data.ID)
	}
	return all
}

func TestResumeReplaysMissedEvents(t *testing.T) {
	h := start(t, nil)
	all := products(brand, 5)
	h.publish(all[:2]...)
	since := h.position(brand)
	h.publish(all[2:]...)
	c := h.dial(h.token("u1"))
	if f := c.subscribe(map[string]string{brand: since}); f.Subscribed[brand] != since {
		t.Errorf("subscribed from %v, want %s", f.Subscribed, since)
	}
	f := c.read() // all in one frame
	if want := []string{"p2", "p3", "p4"}; !slices.Equal(ids(f.Events), want) {
		t.Errorf("got %v, want %v", ids(f.Events), want)
	}
	if last := f.Events[len(f.Events)-1]; last.Position != h.position(brand) {
		t.Errorf("the replay ends at %s, want %s", last.Position, h.position(brand))
	}
	c.wantNoEvents()
	h.publish(event(brand, market.TypeProductBooked, "p0", 2))
	if e := c.events(1)[0]; e.Data.ID != "p0" {
		t.Errorf("got %+v", e)
	}
}

func TestEveryPositionResumesAfterItsEvent(t *testing.T) {
	h := start(t, nil)
	c := h.dial(h.token("u1"))
	c.subscribe(map[string]string{brand: ""})
	h.publish(products(brand, 10)...)
	for i, e := range c.events(10) {
		c.subscribe(map[string]string{brand: e.Position})
		if rest := 9 - i; rest > 0 {
			if got := c.events(rest); got[0].Data.ID != fmt.Sprintf("p%d", i+1) {
				t.Errorf("after %d: %v", i, ids(got))
			}
		}
		if i%5 == 4 { // not each time, because a client may send only 20 frames a second
			c.wantNoEvents()
		}
	}
}

func TestResubscribeReplacesAndReplays(t *testing.T) {
	h := start(t, nil)
	begin := h.position(brand)
	c := h.dial(h.token("u1"))
	c.subscribe(map[string]string{brand: ""})
	h.publish(products(brand, 3)...)
	c.events(3)
	c.subscribe(map[string]string{brand: begin})
	if got := ids(c.events(3)); !slices.Equal(got, []string{"p0", "p1", "p2"}) {
		t.Errorf("got %v", got)
	}
	h.publish(event(brand, market.TypeProductBooked, "p0", 2))
	c.events(1)
	c.wantNoEvents() // each event arrives once, not once for each subscription
}

func TestResync(t *testing.T) {
	smallHistory := func(c *hub.Config) { c.Broker = hub.NewMemoryBroker(hub.HistoryLimits{Size: 10}) }
	h := start(t, smallHistory)
	begin := h.position(brand)
	h.publish(products(brand, 20)...)
	top := h.position(brand)
	at, err := hub.ParsePosition(top)
	if err != nil {
		t.Fatal(err)
	}
	for name, since := range map[string]string{
		"too long ago":    begin,
		"not reached yet": at.Next().String(),
		"another epoch":   hub.Position{Epoch: "gone", Offset: 3}.String(),
		"no position":     "nonsense",
		"no offset":       at.Epoch + ":",
		"negative":        at.Epoch + ":-1",
	} {
		t.Run(name, func(t *testing.T) {
			c := h.dial(h.token("u1"))
			f := c.subscribe(map[string]string{brand: since, "me": ""})
			if f.Subscribed[brand] != top {
				t.Errorf("subscribed from %v, want %s", f.Subscribed, top)
			}
			if f := c.read(); !slices.Equal(f.Resync, []string{brand}) {
				t.Errorf("got %+v, want resync", f)
			}
			c.wantNoEvents()
		})
	}
	c := h.dial(h.token("u1"))
	c.subscribe(map[string]string{brand: begin})
	c.read()
	h.publish(event(brand, market.TypeProductBooked, "p0", 2))
	if e := c.events(1)[0]; e.Data.Version != 2 {
		t.Errorf("after the resync got %+v, want the next event", e)
	}
}

func TestPendingEventsShareFrames(t *testing.T) {
	h := start(t, nil)
	const n = 3000
	c := h.dial(h.token("u1"))
	c.subscribe(map[string]string{brand: ""})
	h.publish(products(brand, n)...)
	frames := 0
	var got []string
	for len(got) < n {
		frames++
		got = append(got, ids(c.read().Events)...)
	}
	for i, id := range got {
		if id != fmt.Sprintf("p%d", i) {
			t.Fatalf("event %d is %s", i, id)
		}
	}
	if frames >= n {
		t.Errorf("%d events took %d frames", n, frames)
	}
}

func TestLongReplayIsSplitIntoFrames(t *testing.T) {
	h := start(t, nil)
	begin := h.position(brand)
	large := products(brand, 8)
	for i := range large {
		large[i].Data = fmt.Appendf(nil, `{"_id":"p%d","pad":%q}`, i, strings.Repeat("x", 50_000))
	}
	h.publish(large...)
	c := h.dial(h.token("u1"))
	c.subscribe(map[string]string{brand: begin})
	frames := 0
	for n := 0; n < len(large); frames++ {
		n += len(c.read().Events)
	}
	if frames < 2 || frames == len(large) {
		t.Errorf("%d events were sent in %d frames, want more than one frame and fewer than events", len(large), frames)
	}
}

// publishLarge publishes events of one phone, each with the maximum size of an entity.
func (h *harness) publishLarge(topic string, n int) {
	for i := range n {
		e := event(topic, market.TypeProductChanged, "p0", int64(i+1))
		e.Data = fmt.Appendf(nil, `{"_id":"p0","version":%d,"pad":%q}`, i+1, strings.Repeat("x", 8<<10))
		h.publish(e)
	}
}

// The replay of one subscribe has at most a megabyte, for any number of topics and any length of their
// histories.
func TestReplayIsLimitedToAMegabyte(t *testing.T) {
	h := start(t, nil)
	topics := []string{"brand:b1", "brand:b2", "brand:b3"}
	since := map[string]string{}
	for _, topic := range topics {
		since[topic] = h.position(topic)
		h.publishLarge(topic, 60) // half a megabyte
	}
	c := h.dial(h.token("u1"))
	c.subscribe(since)
	resync := c.read()
	if len(resync.Resync) != 1 {
		t.Errorf("got %+v, want a resync of one of three topics", resync)
	}
	if got := len(c.events(120)); got != 120 {
		t.Errorf("got %d events, want 120", got)
	}
	c.wantNoEvents()
}

// A user who requests the same replay repeatedly gets a resync instead.
func TestReplaysPerUserAreLimited(t *testing.T) {
	h := start(t, nil)
	begin := h.position(brand)
	h.publishLarge(brand, 60)
	token, resyncs := h.token("u1"), 0
	for range 40 { // 20 MB
		c := h.dial(token)
		c.subscribe(map[string]string{brand: begin})
		if f := c.read(); len(f.Resync) > 0 {
			resyncs++
		}
	}
	if resyncs < 5 || resyncs > 12 {
		t.Errorf("%d of 40 replays were refused, want 5 to 12", resyncs)
	}
	another := h.dial(h.token("u2"))
	another.subscribe(map[string]string{brand: begin})
	if got := len(another.events(60)); got != 60 {
		t.Errorf("another user gets %d events, want 60", got)
	}
}

// countingBroker is a broker that counts the bytes of the histories that are read.
type countingBroker struct {
	hub.Broker
	bytes atomic.Int64
}

// History implements hub.Broker.
func (b *countingBroker) History(ctx context.Context, topic string, since hub.Position) (hub.History, error) {
	h, err := b.Broker.History(ctx, topic, since)
	for _, e := range h.Entries {
		b.bytes.Add(int64(len(e.Event.Data)))
	}
	return h, err
}

// The hub does not read histories for a user who has reached the limit of replays.
func TestRefusedReplaysAreNotRead(t *testing.T) {
	b := &countingBroker{Broker: hub.NewMemoryBroker(hub.HistoryLimits{})}
	h := start(t, func(c *hub.Config) { c.Broker = b })
	since := map[string]string{}
	for i := range 40 {
		topic := fmt.Sprint("brand:b", i)
		since[topic] = h.position(topic)
		h.publishLarge(topic, 60) // half a megabyte, 20 MB in all
	}
	for range 3 {
		c := h.dial(h.token("u1"))
		c.subscribe(since)
		if f := c.read(); len(f.Resync) < 38 {
			t.Errorf("got a resync of %d topics, want at least 38 of 40", len(f.Resync))
		}
	}
	if read := b.bytes.Load() >> 20; read > 17 {
		t.Errorf("the hub read %d MB of histories, want at most 17", read)
	}
}
