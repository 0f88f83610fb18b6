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
	patience = 30 * time.Second
)

// ear is a listener that counts.
type ear struct {
	mu      sync.Mutex
	entries []hub.Entry
	gaps    int
}

func (e *ear) Event(entry hub.Entry) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.entries = append(e.entries, entry)
}

func (e *ear) Gap() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.gaps++
}

func (e *ear) heard() (events, gaps int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.entries), e.gaps
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for !ok() {
		select {
		case <-again.C:
		case <-deadline.C:
			t.Fatal("never: " + what)
		}
	}
}

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

// A server that restarts with an older state must not accept a position of the lost
// state as its own.
func TestOlderStateIsANewEpoch(t *testing.T) {
	s := redistest.Start(t)
	b := open(t, s, hub.HistoryLimits{})
	publish(t, b, 0, 10)
	s.Do(t, "SAVE")
	publish(t, b, 10, 10)
	lost := position(t, b)
	s.Kill()
	s.Restart(t)
	if n := s.Do(t, "EXISTS", "secondring0:{0}:meta:"+topic); n != int64(1) {
		t.Fatal("the older state was not read")
	}
	publish(t, b, 20, 15)
	h, err := b.History(t.Context(), topic, lost)
	if err != nil || h.Complete || len(h.Entries) > 0 || h.Top.Epoch == lost.Epoch {
		t.Errorf("after %v: %+v, %v", lost, h, err)
	}
}

func TestScriptFlushStartsOneEpoch(t *testing.T) {
	s := redistest.Start(t)
	one, two := open(t, s, hub.HistoryLimits{}), open(t, s, hub.HistoryLimits{})
	e := &ear{}
	if _, err := one.Subscribe(t.Context(), topic, e); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for w, b := range []hub.Broker{one, two} {
		wg.Go(func() {
			for i := range 200 {
				e := []market.Event{brokertest.Event(topic, fmt.Sprint(w), int64(i+1))}
				for b.Publish(context.Background(), e) != nil { // forgotten twice in a row: the relay tries again, too
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
	eventually(t, "each event is heard", func() bool { n, _ := e.heard(); return n >= 400 })
	if n, gaps := e.heard(); n != 400 || gaps != 0 {
		t.Errorf("heard %d events and %d gaps", n, gaps)
	}
}

// However many nodes notice the data loss, there is one new epoch, so a topic's readers
// fetch their lists once.
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
				t.Fatalf("life %d has the epochs %s and %s", life, first, epoch)
			}
		}
		if n != cap(epochs) {
			t.Fatalf("%d of %d had an answer", n, cap(epochs))
		}
		if counted := s.Do(t, "GET", "secondring0:{0}:life"); counted != strconv.FormatInt(life, 10) {
			t.Fatalf("life %d is counted as %v", life, counted)
		}
	}
}

func TestLostConnectionIsAGap(t *testing.T) {
	s := redistest.Start(t)
	b := open(t, s, hub.HistoryLimits{})
	first, second := &ear{}, &ear{}
	for _, e := range []*ear{first, second} {
		if _, err := b.Subscribe(t.Context(), topic, e); err != nil {
			t.Fatal(err)
		}
	}
	for kills := 1; kills <= 3; kills++ {
		eventually(t, "a connection to kill", func() bool { return s.Do(t, "CLIENT", "KILL", "TYPE", "pubsub") != int64(0) })
		eventually(t, "both are told", func() bool {
			_, one := first.heard()
			_, two := second.heard()
			return one >= kills && two >= kills
		})
	}
	before, _ := first.heard()
	publish(t, b, 0, 1)
	eventually(t, "an event after all that", func() bool { n, _ := first.heard(); return n == before+1 })
}

// While Redis hangs, calls do not wait for it long, and known data is returned.
func TestHangingRedisIsNotWaitedFor(t *testing.T) {
	s := redistest.Start(t)
	b := open(t, s, hub.HistoryLimits{})
	e := &ear{}
	at, err := b.Subscribe(t.Context(), topic, e)
	if err != nil {
		t.Fatal(err)
	}
	s.Hang(t)
	failed := func() error { return b.Publish(t.Context(), []market.Event{brokertest.Event(topic, "p", 1)}) }
	if err := failed(); market.CodeOf(err) != market.CodeUnavailable {
		t.Fatalf("publishing to a server that hangs: %v", err)
	}
	// The first took as long as a call may. The others are refused at once, or
	// one of them tries: a thousand fit into the time of a few.
	began := time.Now()
	for range 1000 {
		if err := failed(); market.CodeOf(err) != market.CodeUnavailable {
			t.Fatal(err)
		}
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("1000 calls took %v", took)
	}
	if got := position(t, b); got != at {
		t.Errorf("a topic that is listened to stands at %v, want %v", got, at)
	}
	elsewhere, err := b.Position(t.Context(), "another")
	if err != nil {
		t.Errorf("the position of another topic: %v", err)
	}
	nowhere, err := hub.ParsePosition(elsewhere)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Ping(t.Context()); market.CodeOf(err) != market.CodeUnavailable {
		t.Errorf("asked whether it is there: %v", err)
	}
	s.Resume(t)
	eventually(t, "publishing works again", func() bool { return failed() == nil })
	if h, err := b.History(t.Context(), "another", nowhere); err != nil || h.Complete {
		t.Errorf("who was told of no position is not sent for the list: %v, %v", h, err)
	}
	eventually(t, "the listener gets the event or a gap", func() bool {
		events, gaps := e.heard()
		return gaps > 0 || events > 0
	})
}

// Several events are sent together. None of them may count as published if Redis did not
// accept them.
func TestBatchFailsIfRedisIsAway(t *testing.T) {
	s := redistest.Start(t)
	b := open(t, s, hub.HistoryLimits{})
	several := []market.Event{brokertest.Event(topic, "p", 1), brokertest.Event(topic, "q", 1), brokertest.Event("other", "q", 1)}
	s.Kill()
	if err := b.Publish(t.Context(), several); market.CodeOf(err) != market.CodeUnavailable {
		t.Errorf("published without listeners: %v", err)
	}
	s.Restart(t)
	eventually(t, "they are published", func() bool { return b.Publish(t.Context(), several) == nil })
	if at := position(t, b); at.Offset != 2 {
		t.Errorf("the topic stands at %v, want 2 events", at)
	}
}

func TestOutageLeavesNoSubscriptions(t *testing.T) {
	s := redistest.Start(t)
	b := open(t, s, hub.HistoryLimits{})
	e := &ear{}
	if _, err := b.Subscribe(t.Context(), topic, e); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		s.Kill()
		if err := b.Publish(t.Context(), []market.Event{brokertest.Event(topic, "p", int64(i)+1)}); err == nil {
			t.Fatal("published during the outage")
		}
		s.Restart(t)
		eventually(t, "the topic is subscribed again", func() bool { _, gaps := e.heard(); return gaps > i })
	}
	if err := b.Unsubscribe(t.Context(), topic, e); err != nil {
		t.Fatal(err)
	}
	eventually(t, "no subscription is left", func() bool { return len(channels(t, s)) == 0 })
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "no connection is left", func() bool {
		return s.Do(t, "CLIENT", "LIST", "TYPE", "pubsub") == "" // and the one that asks is of another type
	})
}

func channels(t *testing.T, s *redistest.Server) []any {
	t.Helper()
	all, ok := s.Do(t, "PUBSUB", "SHARDCHANNELS").([]any)
	if !ok {
		t.Fatal("no list of channels")
	}
	return all
}
