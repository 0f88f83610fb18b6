package nodes_test

import (
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// drained is how long a node may take to end.
const drained = 10 * time.Second

// Each of three nodes is restarted in turn, behind a balancer, while buyers book
// and screens are open. Nobody gets an error, what buyers were told stands, and
// every screen hears of every change, from where it was.
func TestARollingRestartUnderLoad(t *testing.T) {
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
		code, took := node.end(syscall.SIGTERM)
		if code != 0 || took > drained {
			t.Errorf("node %d ended with %d after %v", i, code, took)
		}
		node.open()
		eventually(t, "the balancer has all nodes", func() bool { return front.has(len(nodes)) })
		eventually(t, "all screens are back", func() bool {
			return !slices.ContainsFunc(screens, func(s *screen) bool { return !s.isLive() })
		})
		if made := shop.callCount() - calls; made < 10 {
			t.Errorf("only %d calls were made meanwhile: is anybody there?", made)
		}
		t.Logf("node %d ended in %v; screens came back, by quarters of a second from the signal: %v",
			i, took.Round(time.Millisecond), histogram(screens, began))
	}
	end()
	now, _, _ := shop.list()
	began := time.Now()
	for i, s := range screens {
		eventually(t, "the screen shows what the list does", func() bool { return s.shows(now) })
		s.wasOnlyRestarted(t, i)
	}
	shop.hold()
	t.Logf("%d calls, the longest %v; %d bookings, %d of them cancelled; all screens true within %v",
		shop.calls, shop.worst.Round(time.Millisecond), len(shop.booked), len(shop.let), time.Since(began).Round(time.Millisecond))
}

// wasOnlyRestarted checks that the screen was told of every restart that it met,
// was never refused, and went on from where it was.
func (s *screen) wasOnlyRestarted(t *testing.T, i int) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for code, times := range s.ends {
		if code != websocket.CloseServiceRestart {
			t.Errorf("screen %d ended %d times with %d", i, times, code)
		}
	}
	if s.resyncs > 0 || len(s.refused) > 0 {
		t.Errorf("screen %d had to fetch its list %d times, and was refused: %v", i, s.resyncs, s.refused)
	}
}
