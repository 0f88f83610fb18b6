package clustertest_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// shutdownLimit is the maximum duration of a shutdown. A shutdown takes about 5 s on an idle
// machine, and 10 s beside other tests with the race detector.
const shutdownLimit = time.Minute

// Each of three nodes is restarted in turn behind the deployed proxy while users read, book and
// sell, and screens are open. No call fails, no acknowledged write is lost, and each screen
// reconnects to another node and gets every change from its position.
func TestRollingRestartUnderLoad(t *testing.T) {
	c := startCluster(t, 0, loadSettings())
	nodes, urls := make([]*process, 3), make([]string, 3)
	for i := range nodes {
		nodes[i] = c.startProcess(t)
		urls[i] = nodes[i].URL
	}
	p := startProxy(t, nil, urls...)
	waitForAll := func() {
		for name := range p.servers("ready") {
			p.waitForState(name, "UP")
		}
	}
	waitForAll()
	e := newEnv(t, p.url)
	seller := e.signUp("watched", "Seller")
	phone := e.addPhone(0, seller)
	e.acknowledged.locked(func() { delete(e.acknowledged.phones, phone) }) // only this test changes it
	_, position, _ := strings.Cut(e.call(0, seller, http.MethodGet, "/products?email="+seller.email, nil).header.Get("Live-Position"), "=")
	screens := make([]*reconnectingScreen, 12)
	for i := range screens {
		screens[i] = &reconnectingScreen{position: position, browser: &browser{appNode: &appNode{t: t}, proxyURL: p.url, token: seller.token}}
		screens[i].connect()
	}
	for name, node := range p.servers("ready") {
		if n, err := strconv.Atoi(node["scur"]); err != nil || n < 1 {
			t.Errorf("%s has %s of %d sockets, want at least 1", name, node["scur"], len(screens))
		}
	}
	l := &load{env: e, pace: 40 * time.Millisecond}
	startedAt := time.Now()
	runWith(func() {
		for i, node := range nodes {
			e.expectProgress(t, "book", 5)
			code, took := node.End(syscall.SIGTERM)
			if code != 0 || took > shutdownLimit {
				t.Errorf("node %d exited with %d after %v, want 0 within %v", i, code, took, shutdownLimit)
			}
			price := 50 + i
			e.must(e.call(0, seller, http.MethodPatch, "/products/"+phone, map[string]int{"resalePrice": price}), nil)
			for _, s := range screens {
				s.expectPrice(phone, price)
			}
			e.expectProgress(t, "book", 5)
			node.Open()
			waitForAll()
		}
	}, l.workers()...)
	for what, all := range e.callsOfLoad(t, startedAt, time.Now()) {
		if count(all, http.StatusServiceUnavailable) > 0 || count(all, 0) > 0 {
			t.Errorf("%s: %s, want no failure", what, statuses(all))
		}
	}
	e.checkAcknowledged(t, 0)
	if !slices.ContainsFunc(screens, func(s *reconnectingScreen) bool { return s.restarts > 0 }) {
		t.Error("no socket was closed for a restart")
	}
}

// reconnectingScreen is a screen of a seller's phones. When its node stops, it continues at another node
// from its position.
type reconnectingScreen struct {
	*browser
	*socket
	position string
	restarts int
}

func (s *reconnectingScreen) connect() {
	s.socket = s.subscribe(map[string]string{"me": s.position})
}

// expectPrice reads until the phone has the price. The socket may be closed only for a restart,
// and the list need not be fetched again.
func (s *reconnectingScreen) expectPrice(phone string, price int) {
	t := s.browser.t
	t.Helper()
	for {
		if err := s.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
			t.Fatal(err)
		}
		_, text, err := s.conn.ReadMessage()
		if websocket.IsCloseError(err, websocket.CloseServiceRestart) {
			s.restarts++
			s.connect()
			continue
		}
		var f frame
		if err != nil || json.Unmarshal(text, &f) != nil || len(f.Resync) > 0 {
			t.Fatalf("the socket returned %s, %v; want events", text, err)
		}
		for _, e := range f.Events {
			s.position = e.Position
			if e.Data.ID == phone && e.Data.Price == price {
				return
			}
		}
	}
}
