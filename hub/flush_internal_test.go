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

// BenchmarkFrame encodes the frame that all sockets of a topic share.
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

// BenchmarkReaderState measures the state changes of waking a socket, without its goroutine.
func BenchmarkReaderState(b *testing.B) {
	var t readerState
	for b.Loop() {
		if !t.enter() || t.enter() || t.leave() || !t.leave() {
			b.Fatal("two readers were let in, or one left with data unread")
		}
	}
}

// newBareTopic returns a topic without sockets.
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

// How long a flusher gathers events depends on the pending events, and on the duration and the end of
// its last round.
func TestFlusherGathersOnlyWhileBusy(t *testing.T) {
	for name, tc := range map[string]struct {
		lastRound, sinceLastRound time.Duration
		pending                   int // bytes
		want                      time.Duration
	}{
		"first event":                  {0, 0, 100, 0},
		"few sockets":                  {100 * time.Microsecond, 0, 100, 0},
		"nothing is pending":           {10 * time.Millisecond, 0, 0, 0},
		"some are pending":             {4 * time.Millisecond, 0, 100, time.Millisecond},
		"some are pending, long round": {time.Second, 0, 100, gatherMax},
		"a full frame is pending":      {time.Second, 0, fullFrameBytes, 0},
		"event soon after the round":   {4 * time.Millisecond, 3 * time.Millisecond, 100, time.Millisecond},
		"event after a pause":          {4 * time.Millisecond, 4 * time.Millisecond, 100, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				topic := newBareTopic(t)
				if tc.pending > 0 {
					topic.pending, topic.size = []item{{}}, tc.pending
				}
				topic.lastRound, topic.lastRoundEnded = tc.lastRound, time.Now()
				<-time.After(tc.sinceLastRound)
				start := time.Now()
				topic.gather()
				if got := time.Since(start); got != tc.want {
					t.Errorf("gathered for %v, want %v", got, tc.want)
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
		start := time.Now()
		time.AfterFunc(gatherMax/2, func() {
			topic.mu.Lock()
			defer topic.mu.Unlock()
			topic.add(item{json: make([]byte, fullFrameBytes)})
		})
		topic.gather()
		if got := time.Since(start); got != gatherMax/2 {
			t.Errorf("gathered for %v, want %v", got, gatherMax/2)
		}
	})
}
