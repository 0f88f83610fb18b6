package clustertest_test

import (
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// drained is the maximum duration of a shutdown.
const drained = 10 * time.Second

// Each of three nodes is restarted in turn behind a balancer while users book and
// screens are open. No user gets an error, no acknowledged booking is lost, and every screen
// gets every change from its position.
func TestRollingRestartUnderLoad(t *testing.T) {
	c := startCluster(t, 0, map[string]string{"DEMO": ""})
	nodes := make([]*process, 3)
	for i := range nodes {
		nodes[i] = c.startProcess(t)
	}
	front := startBalancer(t, nodes...)
	shop := newShopping(t, front.url, 12, 150)
	phones, topic, position := shop.list()
	screens := page{
		url: func() string { return front.url }, token: shop.seller, topic: topic, position: position,
		phones: phones, spread: clientsSpread(t),
	}.open(t, 300)
	end := shop.begin()
	for i, node := range nodes {
		began, calls := time.Now(), shop.callCount()
		code, took := node.End(syscall.SIGTERM)
		if code != 0 || took > drained {
			t.Errorf("node %d ended with %d after %v", i, code, took)
		}
		node.Open()
		eventually(t, "the balancer has all nodes", func() bool { return front.has(len(nodes)) })
		eventually(t, "all screens are back", func() bool {
			return !slices.ContainsFunc(screens, func(s *screen) bool { return !s.isLive() })
		})
		if made := shop.callCount() - calls; made < 10 {
			t.Errorf("only %d calls were made meanwhile", made)
		}
		t.Logf("node %d ended in %v; screens reconnected, by quarters of a second from the signal: %v",
			i, took.Round(time.Millisecond), histogram(screens, began))
	}
	end()
	now, _, _ := shop.list()
	began := time.Now()
	for _, s := range screens {
		eventually(t, "the screen equals the list", func() bool { return s.shows(now) })
	}
	soTrue := time.Since(began)
	shop.hold()
	expectOnlyRestartCodes(t, screens)
	t.Logf("%d calls, the longest %v; %d bookings, %d of them cancelled; all screens true within %v",
		shop.calls, shop.worst.Round(time.Millisecond), len(shop.booked), len(shop.cancelled), soTrue.Round(time.Millisecond))
}

// expectOnlyRestartCodes checks that screens were closed only with the restart code and
// resumed from their positions. On a busy machine a connecting socket may be
// interrupted and connect again.
func expectOnlyRestartCodes(t *testing.T, screens []*screen) {
	t.Helper()
	acknowledged, cut := 0, 0
	for i, s := range screens {
		s.mu.Lock()
		for code, times := range s.ends {
			if code == websocket.CloseServiceRestart {
				acknowledged += times
			} else {
				cut += times
				t.Logf("screen %d ended %d times with %d, and was refused: %v", i, times, code, s.refused)
			}
		}
		if s.resyncs > 0 {
			t.Errorf("screen %d had to fetch its list %d times", i, s.resyncs)
		}
		s.mu.Unlock()
	}
	if acknowledged < len(screens) || cut > acknowledged/10 {
		t.Errorf("sockets were closed for a restart %d times, and interrupted %d times", acknowledged, cut)
	}
}
