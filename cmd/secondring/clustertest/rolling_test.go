package clustertest_test

import (
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// shutdownLimit is the maximum duration of a shutdown.
const shutdownLimit = 10 * time.Second

// Each of three nodes is restarted in turn behind a balancer while users book and
// screens are open. No user gets an error, no acknowledged booking is lost, and every screen
// gets every change from its position.
func TestRollingRestartUnderLoad(t *testing.T) {
	c := startCluster(t, 0, map[string]string{"DEMO": ""})
	nodes := make([]*process, 3)
	for i := range nodes {
		nodes[i] = c.startProcess(t)
	}
	lb := startBalancer(t, nodes...)
	shop := newShopping(t, lb.url, 12, 150)
	phones, topic, position := shop.list()
	screens := pageState{
		url: func() string { return lb.url }, token: shop.sellerToken, topic: topic, position: position,
		phones: phones, jitter: readClientJitter(t),
	}.open(t, 300)
	end := shop.startBuyers()
	for i, node := range nodes {
		startedAt, calls := time.Now(), shop.callCount()
		code, took := node.End(syscall.SIGTERM)
		if code != 0 || took > shutdownLimit {
			t.Errorf("node %d exited with %d after %v, want 0 within 10s", i, code, took)
		}
		node.Open()
		eventually(t, "all nodes are ready for the balancer", func() bool { return lb.has(len(nodes)) })
		eventually(t, "all screens have reconnected", func() bool {
			return !slices.ContainsFunc(screens, func(s *screen) bool { return !s.isLive() })
		})
		if made := shop.callCount() - calls; made < 10 {
			t.Errorf("%d calls were made during the restart, want at least 10", made)
		}
		t.Logf("node %d exited in %v; screens reconnected, by quarters of a second from the signal: %v",
			i, took.Round(time.Millisecond), histogram(screens, startedAt))
	}
	end()
	current, _, _ := shop.list()
	startedAt := time.Now()
	for _, s := range screens {
		eventually(t, "the screen equals the list", func() bool { return s.isCurrent(current) })
	}
	screensTook := time.Since(startedAt)
	shop.checkBookings()
	expectOnlyRestartCodes(t, screens)
	t.Logf("%d calls, the longest %v; %d bookings, %d of them cancelled; all screens current within %v",
		shop.calls, shop.longest.Round(time.Millisecond), len(shop.booked), len(shop.cancelled), screensTook.Round(time.Millisecond))
}

// expectOnlyRestartCodes checks that the sockets of screens were closed only with the restart
// code, and that screens resumed from their positions. On a busy machine a few connecting
// sockets may be interrupted.
func expectOnlyRestartCodes(t *testing.T, screens []*screen) {
	t.Helper()
	acknowledged, cut := 0, 0
	for i, s := range screens {
		s.mu.Lock()
		for code, times := range s.closeCodes {
			if code == websocket.CloseServiceRestart {
				acknowledged += times
			} else {
				cut += times
				t.Logf("the socket of screen %d ended %d times with %d; refused handshakes: %v", i, times, code, s.refused)
			}
		}
		if s.resyncs > 0 {
			t.Errorf("screen %d got %d resyncs, want none", i, s.resyncs)
		}
		s.mu.Unlock()
	}
	if acknowledged < len(screens) || cut > acknowledged/10 {
		t.Errorf("sockets were closed for a restart %d times and interrupted %d times, want each once for a restart", acknowledged, cut)
	}
}
