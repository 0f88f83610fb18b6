package clustertest_test

import (
	"context"
	"net/http"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// reconnectingScreens is the number of screens of the node that stops.
const reconnectingScreens = 2000

// All sockets of a node that stops or is killed reconnect to the other node, spread over
// time, so that it keeps answering, and each resumes from its position.
func TestReconnectsAreSpreadOut(t *testing.T) {
	spread := readClientJitter(t)
	for _, c := range []struct {
		name   string
		signal syscall.Signal
		limit  int // the maximum in a second: nearly twice the average
	}{
		{"restarted", syscall.SIGTERM, reconnectingScreens * 45 / 100},
		{"killed", syscall.SIGKILL, reconnectingScreens * 9 / 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			market := startCluster(t, 0, map[string]string{"DEMO": ""})
			stopping, remaining := market.startProcess(t), market.startProcess(t)
			shop := newShopping(t, remaining.URL, 1, 1)
			phones, topic, position := shop.list()
			var target atomic.Pointer[process]
			target.Store(stopping)
			screens := pageState{
				url: func() string { return target.Load().URL }, token: shop.sellerToken, topic: topic, position: position,
				phones: phones, jitter: spread,
			}.open(t, reconnectingScreens)
			target.Store(remaining)
			longest := longestCall(t, shop)
			stoppedAt := time.Now()
			stopping.End(c.signal)
			for id := range phones {
				for _, token := range shop.buyers {
					shop.buy(token, id)
				}
			}
			reconnected := func(s *screen) bool { return s.connectionCount() == 2 }
			eventually(t, "all screens have reconnected", func() bool { return !slices.ContainsFunc(screens, func(s *screen) bool { return !reconnected(s) }) })
			current, _, _ := shop.list()
			for i, s := range screens {
				eventually(t, "the screen equals the list", func() bool { return s.isCurrent(current) })
				if s.resyncs > 0 {
					t.Errorf("screen %d got %d resyncs, want none", i, s.resyncs)
				}
			}
			reportReconnects(t, screens, stoppedAt, c.limit, longest())
		})
	}
}

// longestCall makes reads until the returned function is called, which returns the
// longest duration.
func longestCall(t *testing.T, shop *shopping) func() time.Duration {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	longest := make(chan time.Duration, 1)
	go func() {
		var worst time.Duration
		for ticker := time.NewTicker(20 * time.Millisecond); ctx.Err() == nil; <-ticker.C {
			startedAt := time.Now()
			if _, status, err := shop.call(http.MethodGet, "/categories/"+shop.brand, shop.sellerToken, nil, nil); err != nil || status != http.StatusOK {
				t.Errorf("reading the list while screens reconnect: %d, %v", status, err)
			}
			worst = max(worst, time.Since(startedAt))
		}
		longest <- worst
	}()
	return func() time.Duration {
		stop()
		return <-longest
	}
}

// reportReconnects logs when the screens reconnected, and fails the test if too many did at
// once.
func reportReconnects(t *testing.T, screens []*screen, stoppedAt time.Time, limit int, longest time.Duration) {
	t.Helper()
	var took []time.Duration
	refused := 0 // handshakes that failed on a busy machine, and were repeated
	for _, s := range screens {
		took = append(took, s.handshakes[1])
		refused += len(s.refused)
	}
	slices.Sort(took)
	counts := histogram(screens, stoppedAt)
	for len(counts) > 0 && counts[0] == 0 { // a stopping node serves for a while
		counts = counts[1:]
	}
	for i := range counts {
		second := 0
		for _, count := range counts[i:min(i+4, len(counts))] {
			second += count
		}
		if second > limit {
			t.Errorf("%d screens reconnected within a second, want at most %d; by quarters of a second: %v", second, limit, counts)
		}
	}
	t.Logf("%d screens, by quarters of a second: %v; a handshake took %v, the longest %v; the longest call %v; %d handshakes failed at first",
		len(screens), counts, took[len(took)/2].Round(time.Millisecond), took[len(took)-1].Round(time.Millisecond), longest.Round(time.Millisecond), refused)
}
