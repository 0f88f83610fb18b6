package clustertest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"secondring/cmd/secondring/nodetest"
	"secondring/hub"
)

// throughProxy returns a visitor who uses the proxy.
func (n *appNode) throughProxy(p *proxy) *browser {
	n.t.Helper()
	visitor := n.visitor()
	visitor.proxyURL = p.url
	return visitor
}

// One of three nodes stops while users read and book: no call fails, and its sockets
// reconnect to another node.
func TestNoCallFailsWhenANodeStops(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 3, map[string]string{"TRUSTED_PROXIES": "127.0.0.1"})
	p := startProxy(t, nil, c.nodes[0].URL(), c.nodes[1].URL(), c.nodes[2].URL())
	rafi := c.nodes[0].login(buyer)
	rafi.proxyURL = p.url
	phone := rafi.advertised()[0]
	var screens []*socket
	for range 6 {
		screens = append(screens, c.nodes[0].throughProxy(p).subscribe(map[string]string{"advertised": ""}))
	}
	for name, node := range p.servers("ready") {
		if n, err := strconv.Atoi(node["scur"]); err != nil || n < 1 {
			t.Errorf("%s has %s of six sockets, want at least 1", name, node["scur"])
		}
	}
	booking := rafi.book(phone.ID)
	var position string
	for _, screen := range screens {
		position = screen.expectEvent("advertised.changed", phone.ID).Position
	}

	ctx, stopCalls := context.WithCancel(t.Context())
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() { callRepeatedly(ctx, t, rafi.proxyURL, phone.ID, rafi.token) })
	}
	if err := c.nodes[0].stop(); err != nil {
		t.Fatal(err)
	}
	stopCalls()
	callers.Wait()

	rafi.call(http.MethodDelete, "/bookings/"+booking, nil, nil)
	reconnected := 0
	for _, screen := range screens {
		if screen.expectEventOrReconnect("advertised.changed", phone.ID) {
			continue
		}
		reconnected++
		reopened := c.nodes[1].throughProxy(p).subscribe(map[string]string{"advertised": position})
		reopened.expectEvent("advertised.changed", phone.ID) // missed while disconnected
	}
	if reconnected == 0 || reconnected == len(screens) {
		t.Errorf("%d of %d sockets were on the stopped node, want some but not all", reconnected, len(screens))
	}
}

// callRepeatedly reads, and tries to book a booked phone, over new and reused
// connections until the context ends.
func callRepeatedly(ctx context.Context, t *testing.T, url, phone, token string) {
	t.Helper()
	client := http.Client{Transport: new(http.Transport)}
	defer client.CloseIdleConnections()
	for ctx.Err() == nil {
		for _, call := range []struct {
			method, path string
			status       int
		}{
			{http.MethodGet, "/products/advertised", http.StatusOK},
			{http.MethodPut, "/bookings", http.StatusOK}, // the buyer's own held phone: returns the same booking
		} {
			request, err := http.NewRequestWithContext(t.Context(), call.method, url+call.path, strings.NewReader(`{"productID":"`+phone+`","phone":"01700000"}`))
			if err != nil {
				t.Error(err)
				return
			}
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("Authorization", "Bearer "+token)
			answer, err := client.Do(request)
			if err != nil {
				t.Errorf("%s %s: %v", call.method, call.path, err)
				return
			}
			_ = answer.Body.Close()
			if answer.StatusCode != call.status {
				t.Errorf("%s %s: %s, want %d", call.method, call.path, answer.Status, call.status)
			}
		}
	}
}

// expectEventOrReconnect waits for the event, or for the close code after which a client
// reconnects to another node.
func (s *socket) expectEventOrReconnect(kind, id string) (received bool) {
	s.t.Helper()
	if err := s.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		s.t.Fatal(err)
	}
	for {
		_, text, err := s.conn.ReadMessage()
		if websocket.IsCloseError(err, websocket.CloseServiceRestart) {
			return false
		}
		if err != nil {
			s.t.Fatal(err)
		}
		var f frame
		if err := json.Unmarshal(text, &f); err != nil {
			s.t.Fatalf("decoding the frame %s: %v", text, err)
		}
		if slices.ContainsFunc(f.Events, func(e event) bool { return e.Type == kind && e.Data.ID == id }) {
			return true
		}
	}
}

// The proxy closes a socket without traffic after its "timeout tunnel". Two heartbeats fit
// into it, so that one may be lost.
func TestProxyTunnelTimeoutFitsTwoHeartbeats(t *testing.T) {
	if tunnel := configuredTimeout(t, "tunnel"); tunnel < 2*hub.DefaultHeartbeat {
		t.Errorf("timeout tunnel is %v, want at least two heartbeats of %v", tunnel, hub.DefaultHeartbeat)
	}
}

// A socket stays open with nothing but heartbeats for longer than each timeout of the
// proxy. This takes 80 s and runs in make soak.
func TestIdleSocketOutlivesProxyTimeouts(t *testing.T) {
	t.Parallel()
	const beats = 3
	tunnel := configuredTimeout(t, "tunnel")
	if beats*hub.DefaultHeartbeat <= tunnel {
		t.Fatalf("timeout tunnel is %v, want less than %d heartbeats of %v", tunnel, beats, hub.DefaultHeartbeat)
	}
	r := startNode(t, nodetest.Settings(t, map[string]string{"DEMO": "1"}))
	screen := r.throughProxy(startProxy(t, nil, r.URL())).subscribe(map[string]string{"advertised": ""})
	startedAt := time.Now()
	for range beats {
		if err := screen.conn.SetReadDeadline(time.Now().Add(hub.DefaultHeartbeat + patience)); err != nil {
			t.Fatal(err)
		}
		_, text, err := screen.conn.ReadMessage()
		if err != nil || string(text) != "{}" {
			t.Fatalf("after %v: %q, %v; want a heartbeat", time.Since(startedAt), text, err)
		}
	}
	if alive := time.Since(startedAt); alive <= tunnel || alive <= configuredTimeout(t, "client") || alive <= configuredTimeout(t, "server") {
		t.Errorf("the socket was tested for %v, want longer than each timeout", alive)
	}
	rafi := r.login(buyer)
	phone := rafi.advertised()[0]
	rafi.book(phone.ID)
	screen.expectEvent("advertised.changed", phone.ID)
}

// configuredTimeout returns a timeout of the proxy's configuration.
func configuredTimeout(t *testing.T, name string) time.Duration {
	t.Helper()
	text, err := os.ReadFile(proxyConfig)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^\s+timeout ` + name + ` (\S+)$`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("the configuration has no timeout %s", name)
	}
	timeout, err := time.ParseDuration(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return timeout
}
