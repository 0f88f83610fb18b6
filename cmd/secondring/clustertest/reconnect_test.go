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

// herd is the number of screens of the node that stops.
const herd = 2000

// All sockets of a node that stops or is killed reconnect to the other node, spread over
// time, so that it keeps answering, and each resumes from its position.
func TestReconnectsAreSpreadOut(t *testing.T) {
	spread := clientsSpread(t)
	for _, c := range []struct {
		name   string
		signal syscall.Signal
		most   int // in a second: nearly twice as many as chance would have it
	}{
		{"restarted", syscall.SIGTERM, herd * 45 / 100},
		{"killed", syscall.SIGKILL, herd * 9 / 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			market := startCluster(t, 0, map[string]string{"DEMO": ""})
			goes, stays := market.startProcess(t), market.startProcess(t)
			shop := newShopping(t, stays.URL, 1, 1)
			phones, topic, position := shop.list()
			var target atomic.Pointer[process]
			target.Store(goes)
			screens := page{
				url: func() string { return target.Load().URL }, token: shop.seller, topic: topic, position: position,
				phones: phones, spread: spread,
			}.open(t, herd)
			target.Store(stays)
			worst := longestCall(t, shop)
			gone := time.Now()
			goes.End(c.signal)
			for id := range phones {
				for _, token := range shop.buyers {
					shop.buy(token, id)
				}
			}
			back := func(s *screen) bool { return s.connectionCount() == 2 }
			eventually(t, "all are back", func() bool { return !slices.ContainsFunc(screens, func(s *screen) bool { return !back(s) }) })
			now, _, _ := shop.list()
			for i, s := range screens {
				eventually(t, "the screen equals the list", func() bool { return s.shows(now) })
				if s.resyncs > 0 {
					t.Errorf("screen %d had to fetch its list %d times", i, s.resyncs)
				}
			}
			report(t, screens, gone, c.most, worst())
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
		for again := time.NewTicker(20 * time.Millisecond); ctx.Err() == nil; <-again.C {
			began := time.Now()
			if _, status, err := shop.call(http.MethodGet, "/categories/"+shop.brand, shop.seller, nil, nil); err != nil || status != http.StatusOK {
				t.Errorf("reading meanwhile: %d, %v", status, err)
			}
			worst = max(worst, time.Since(began))
		}
		longest <- worst
	}()
	return func() time.Duration {
		stop()
		return <-longest
	}
}

// report logs when the screens reconnected, and fails if too many did at once.
func report(t *testing.T, screens []*screen, gone time.Time, most int, worst time.Duration) {
	t.Helper()
	var took []time.Duration
	refused := 0 // by a machine that has too much to do: they come again
	for _, s := range screens {
		took = append(took, s.took[1])
		refused += len(s.refused)
	}
	slices.Sort(took)
	counts := histogram(screens, gone)
	for len(counts) > 0 && counts[0] == 0 { // a node leaves before it ends
		counts = counts[1:]
	}
	for i := range counts {
		second := 0
		for _, count := range counts[i:min(i+4, len(counts))] {
			second += count
		}
		if second > most {
			t.Errorf("%d reconnected within a second, more than %d: %v", second, most, counts)
		}
	}
	t.Logf("%d screens, by quarters of a second: %v; a handshake took %v, the longest %v; the longest call meanwhile %v; %d were refused at first",
		len(screens), counts, took[len(took)/2].Round(time.Millisecond), took[len(took)-1].Round(time.Millisecond), worst.Round(time.Millisecond), refused)
}
