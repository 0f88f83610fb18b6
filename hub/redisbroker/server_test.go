package redisbroker_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"secondring/hub"
	"secondring/hub/brokertest"
	"secondring/hub/redisbroker/redistest"
	"secondring/market"
)

const (
	topic    = "brand:b1"
	patience = 3 * time.Minute
)

// recorder is a listener that stores events and counts gaps.
type recorder struct {
	mu      sync.Mutex
	entries []hub.Entry
	gaps    int
}

func (r *recorder) Event(entry hub.Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entries = append(r.entries, entry)
}

func (r *recorder) Gap() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gaps++
}

func (r *recorder) counts() (events, gaps int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.entries), r.gaps
}

// eventually calls ok repeatedly until it returns true, and fails the test after patience.
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

// publish publishes n events, of the entities from the number from.
func publish(t *testing.T, b hub.Broker, from, n int) {
	t.Helper()
	events := make([]market.Event, n)
	for i := range events {
		events[i] = brokertest.Event(topic, fmt.Sprint("e", from+i), 1)
	}
	if err := b.Publish(t.Context(), events); err != nil {
		t.Fatal(err)
	}
}

func position(t *testing.T, b hub.Broker) hub.Position {
	t.Helper()
	text, err := b.Position(t.Context(), topic)
	if err != nil {
		t.Fatal(err)
	}
	at, err := hub.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// restartWithOlderData restarts the server with data that lack the last events of b. It returns
// the position of these events.
func restartWithOlderData(t *testing.T, s *redistest.Server, b hub.Broker) (lost hub.Position) {
	t.Helper()
	publish(t, b, 0, 10)
	s.Do(t, "SAVE")
	publish(t, b, 10, 10)
	lost = position(t, b)
	s.Kill()
	s.Restart(t)
	if n := s.Do(t, "EXISTS", "secondring0:{0}:meta:"+topic); n != int64(1) {
		t.Fatal("the server has not read the older data")
	}
	return lost
}

// wantNewEpoch publishes events and fails the test if b accepts the lost position.
func wantNewEpoch(t *testing.T, b hub.Broker, lost hub.Position) {
	t.Helper()
	publish(t, b, 20, 15)
	h, err := b.History(t.Context(), topic, lost)
	if err != nil || h.Complete || len(h.Entries) > 0 || h.Top.Epoch == lost.Epoch {
		t.Errorf("the history since %v is %+v (%v), want an incomplete one of another epoch", lost, h, err)
	}
}

// A server that restarts with older data must not accept a position of the lost data.
func TestOlderDataHasNewEpoch(t *testing.T) {
	s := redistest.Start(t)
	b := open(t, s, hub.HistoryLimits{})
	wantNewEpoch(t, b, restartWithOlderData(t, s, b))
}

// Each market on a server notices the loss, also if another market calls the server first.
func TestOlderDataHasNewEpochBesideAnotherMarket(t *testing.T) {
	s := redistest.Start(t)
	other, b := openURL(t, s.URL+"/1", hub.HistoryLimits{}), open(t, s, hub.HistoryLimits{})
	publish(t, other, 0, 1)
	lost := restartWithOlderData(t, s, b)
	publish(t, other, 1, 1)
	wantNewEpoch(t, b, lost)
}

func TestScriptFlushStartsOneEpoch(t *testing.T) {
	s := redistest.Start(t)
	first, second := open(t, s, hub.HistoryLimits{}), open(t, s, hub.HistoryLimits{})
	e := &recorder{}
	if _, err := first.Subscribe(t.Context(), topic, e); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for w, b := range []hub.Broker{first, second} {
		wg.Go(func() {
			for i := range 200 {
				e := []market.Event{brokertest.Event(topic, fmt.Sprint(w), int64(i+1))}
				for b.Publish(context.Background(), e) != nil { // fails if the scripts were flushed twice, and the relay repeats it too
					if t.Context().Err() != nil {
						return
					}
				}
			}
		})
	}
	for range 5 {
		s.Do(t, "SCRIPT", "FLUSH")
	}
	wg.Wait()
	eventually(t, "each event is received", func() bool { n, _ := e.counts(); return n >= 400 })
	if n, gaps := e.counts(); n != 400 || gaps != 0 {
		t.Errorf("received %d events and %d gaps, want 400 events and no gap", n, gaps)
	}
}

// A data loss begins one new epoch, even if batch nodes notice it. So the readers of a topic fetch their
// lists once.
func TestEpochStartsOnceAfterDataLoss(t *testing.T) {
	s := redistest.Start(t)
	nodes := []hub.Broker{open(t, s, hub.HistoryLimits{}), open(t, s, hub.HistoryLimits{}), open(t, s, hub.HistoryLimits{})}
	for life := int64(1); life <= 10; life++ {
		s.Do(t, "SCRIPT", "FLUSH")
		epochs := make(chan string, 16*len(nodes))
		var wg sync.WaitGroup
		for _, b := range nodes {
			for range cap(epochs) / len(nodes) {
				wg.Go(func() {
					if at, err := b.Position(t.Context(), topic); err == nil {
						epochs <- strings.Split(at, ":")[0]
					}
				})
			}
		}
		wg.Wait()
		close(epochs)
		first, n := <-epochs, 1
		for epoch := range epochs {
			if n++; epoch != first {
				t.Fatalf("after loss %d there are the epochs %s and %s, want one", life, first, epoch)
			}
		}
		if n != cap(epochs) {
			t.Fatalf("%d of %d calls returned a position", n, cap(epochs))
		}
		if counted := s.Do(t, "GET", "secondring0:{0}:life"); counted != strconv.FormatInt(life, 10) {
			t.Fatalf("after loss %d the counter is %v", life, counted)
		}
	}
}

func TestLostConnectionIsAGap(t *testing.T) {
	s := redistest.Start(t)
	b := open(t, s, hub.HistoryLimits{})
	first, second := &recorder{}, &recorder{}
	for _, e := range []*recorder{first, second} {
		if _, err := b.Subscribe(t.Context(), topic, e); err != nil {
			t.Fatal(err)
		}
	}
	for kills := 1; kills <= 3; kills++ {
		eventually(t, "a connection was killed", func() bool { return s.Do(t, "CLIENT", "KILL", "TYPE", "pubsub") != int64(0) })
		eventually(t, "both listeners get a gap", func() bool {
			_, firstGaps := first.counts()
			_, secondGaps := second.counts()
			return firstGaps >= kills && secondGaps >= kills
		})
	}
	before, _ := first.counts()
	publish(t, b, 0, 1)
	eventually(t, "an event arrives after the reconnects", func() bool { n, _ := first.counts(); return n == before+1 })
}

// A topic is subscribed again at once after its last listener has left, as when the only
// reader reconnects. Most of these channels are not unsubscribed in between. The new listeners
// get a gap after a lost connection, too.
func TestLostConnectionIsAGapForReturningListeners(t *testing.T) {
	const topics = 50
	s := redistest.Start(t)
	b := open(t, s, hub.HistoryLimits{})
	returned := make([]*recorder, topics)
	for i := range returned {
		name, left := fmt.Sprint("me:", i), &recorder{}
		returned[i] = &recorder{}
		if _, err := b.Subscribe(t.Context(), name, left); err != nil {
			t.Fatal(err)
		}
		if err := b.Unsubscribe(t.Context(), name, left); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Subscribe(t.Context(), name, returned[i]); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "the connection was killed", func() bool { return s.Do(t, "CLIENT", "KILL", "TYPE", "pubsub") != int64(0) })
	for i, r := range returned {
		eventually(t, fmt.Sprintf("listener %d gets a gap", i), func() bool { _, gaps := r.counts(); return gaps > 0 })
	}
}

// While Redis hangs, calls fail fast, and positions that the node knows are returned.
func TestCallsFailFastWhileRedisHangs(t *testing.T) {
	s := redistest.Start(t)
	b := open(t, s, hub.HistoryLimits{})
	e := &recorder{}
	at, err := b.Subscribe(t.Context(), topic, e)
	if err != nil {
		t.Fatal(err)
	}
	s.Hang(t)
	publishOne := func() error { return b.Publish(t.Context(), []market.Event{brokertest.Event(topic, "p", 1)}) }
	if err := publishOne(); market.CodeOf(err) != market.CodeUnavailable {
		t.Fatalf("publishing while Redis hangs: %v, want unavailable", err)
	}
	// The first call lasted until the timeout. Of the others only a few probe the server.
	start := time.Now()
	for range 1000 {
		if err := publishOne(); market.CodeOf(err) != market.CodeUnavailable {
			t.Fatal(err)
		}
	}
	if elapsed := time.Since(start); elapsed > 20*time.Second {
		t.Errorf("1000 calls took %v, want at most 20 s", elapsed)
	}
	if got := position(t, b); got != at {
		t.Errorf("the position of a subscribed topic is %v, want %v", got, at)
	}
	text, err := b.Position(t.Context(), "another")
	if err != nil {
		t.Errorf("the position of another topic: %v", err)
	}
	unknown, err := hub.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Ping(t.Context()); market.CodeOf(err) != market.CodeUnavailable {
		t.Errorf("Ping while Redis hangs: %v, want unavailable", err)
	}
	s.Resume(t)
	eventually(t, "publishing works again", func() bool { return publishOne() == nil })
	if h, err := b.History(t.Context(), "another", unknown); err != nil || h.Complete {
		t.Errorf("the history since a position of the outage is %+v (%v), want an incomplete one", h, err)
	}
	eventually(t, "the listener gets the event or a gap", func() bool {
		events, gaps := e.counts()
		return gaps > 0 || events > 0
	})
}

// A batch of events fails if Redis is unavailable.
func TestBatchFailsWithoutRedis(t *testing.T) {
	s := redistest.Start(t)
	b := open(t, s, hub.HistoryLimits{})
	batch := []market.Event{brokertest.Event(topic, "p", 1), brokertest.Event(topic, "q", 1), brokertest.Event("other", "q", 1)}
	s.Kill()
	if err := b.Publish(t.Context(), batch); market.CodeOf(err) != market.CodeUnavailable {
		t.Errorf("publishing without Redis: %v, want unavailable", err)
	}
	s.Restart(t)
	eventually(t, "the batch is published", func() bool { return b.Publish(t.Context(), batch) == nil })
	if at := position(t, b); at.Offset != 2 {
		t.Errorf("the position is %v, want offset 2", at)
	}
}

func TestOutageLeavesNoSubscriptions(t *testing.T) {
	s := redistest.Start(t)
	b := open(t, s, hub.HistoryLimits{})
	e := &recorder{}
	if _, err := b.Subscribe(t.Context(), topic, e); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		s.Kill()
		if err := b.Publish(t.Context(), []market.Event{brokertest.Event(topic, "p", int64(i)+1)}); err == nil {
			t.Fatal("Publish succeeds during the outage")
		}
		s.Restart(t)
		eventually(t, "the topic is subscribed again", func() bool { _, gaps := e.counts(); return gaps > i })
	}
	if err := b.Unsubscribe(t.Context(), topic, e); err != nil {
		t.Fatal(err)
	}
	eventually(t, "no subscription is left", func() bool { return len(channels(t, s)) == 0 })
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "no connection is left", func() bool {
		return s.Do(t, "CLIENT", "LIST", "TYPE", "pubsub") == "" // the connection of this command has another type
	})
}

// channels returns the sharded pub/sub channels that have subscribers.
func channels(t *testing.T, s *redistest.Server) []any {
	t.Helper()
	all, ok := s.Do(t, "PUBSUB", "SHARDCHANNELS").([]any)
	if !ok {
		t.Fatal("the response to PUBSUB SHARDCHANNELS is no list")
	}
	return all
}
