package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"secondring/market"
)

// BenchmarkFrame makes the one frame that all sockets of a topic share.
func BenchmarkFrame(b *testing.B) {
	data := json.RawMessage(fmt.Sprintf(`{"pad":%q}`, strings.Repeat("x", 240)))
	e := market.Event{Topic: "t", Type: market.TypeProductChanged, At: time.Unix(1e9, 1), Data: data}
	for _, n := range []int{1, 16, 64} {
		b.Run(fmt.Sprintf("events=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				items := make([]item, n)
				for i := range items {
					items[i].json = encodeEvent("t", Position{Epoch: "k3Jd92aB", Offset: uint64(i)}, e)
				}
				_ = newBatch(items)
			}
		})
	}
}

// BenchmarkReaderState measures what waking a socket costs without its goroutine.
func BenchmarkReaderState(b *testing.B) {
	var t readerState
	for b.Loop() {
		if !t.enter() || t.enter() || t.leave() || !t.leave() {
			b.Fatal("two readers, or one that left something unread")
		}
	}
}

// newBareTopic is a topic without sockets or broker.
func newBareTopic(t *testing.T) *topic {
	t.Helper()
	broker := NewMemoryBroker(HistoryLimits{})
	t.Cleanup(func() { _ = broker.Close() })
	h, err := New(Config{Broker: broker, Authorize: AllowAnyTopic, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(context.Background()) })
	return newTopic(h, topicKey{"t", "t"})
}

// How long a flusher gathers events depends on the waiting events and on the duration
// and time of the last round.
func TestFlusherGathersOnlyWhileBusy(t *testing.T) {
	for name, tc := range map[string]struct {
		took, rested time.Duration
		waiting      int // bytes
		want         time.Duration
	}{
		"first event":            {0, 0, 100, 0},
		"few sockets":            {100 * time.Microsecond, 0, 100, 0},
		"nothing waits":          {10 * time.Millisecond, 0, 0, 0},
		"some wait":              {4 * time.Millisecond, 0, 100, time.Millisecond},
		"some wait, long round":  {time.Second, 0, 100, gatherMost},
		"plenty waits":           {time.Second, 0, fullFrameBytes, 0},
		"one comes soon after":   {4 * time.Millisecond, 3 * time.Millisecond, 100, time.Millisecond},
		"one comes after a rest": {4 * time.Millisecond, 4 * time.Millisecond, 100, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				topic := newBareTopic(t)
				if tc.waiting > 0 {
					topic.pending, topic.size = []item{{}}, tc.waiting
				}
				topic.lastRound, topic.lastRoundEnded = tc.took, time.Now()
				<-time.After(tc.rested)
				began := time.Now()
				topic.gather()
				if took := time.Since(began); took != tc.want {
					t.Errorf("gathered for %v, want %v", took, tc.want)
				}
			})
		})
	}
}

func TestFullBatchEndsGathering(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := newBareTopic(t)
		topic.flushing = true
		topic.add(item{json: []byte("{}")})
		topic.lastRound, topic.lastRoundEnded = time.Second, time.Now()
		began := time.Now()
		time.AfterFunc(gatherMost/2, func() {
			topic.mu.Lock()
			defer topic.mu.Unlock()
			topic.add(item{json: make([]byte, fullFrameBytes)})
		})
		topic.gather()
		if took := time.Since(began); took != gatherMost/2 {
			t.Errorf("gathered for %v", took)
		}
	})
}
