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

	"secondring/hub"
)

// through is a visitor who uses the proxy.
func (r *running) through(p *proxy) *person {
	r.t.Helper()
	visitor := r.visitor()
	visitor.through = p.url
	return visitor
}

// One of three nodes stops while users read and book: no call fails, and its sockets
// reconnect to another node.
func TestNoCallFailsWhenANodeStops(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 3, map[string]string{"TRUSTED_PROXIES": "127.0.0.1"})
	p := startProxy(t, nil, c.nodes[0].URL(), c.nodes[1].URL(), c.nodes[2].URL())
	rafi := c.nodes[0].login(buyer)
	rafi.through = p.url
	phone := rafi.advertised()[0]
	var screens []*socket
	for range 6 {
		screens = append(screens, c.nodes[0].through(p).live(map[string]string{"advertised": ""}))
	}
	for name, node := range p.servers("ready") {
		if n, err := strconv.Atoi(node["scur"]); err != nil || n < 1 {
			t.Errorf("%s has %s of six sockets", name, node["scur"])
		}
	}
	booking := rafi.books(phone.ID)
	var position string
	for _, screen := range screens {
		position = screen.expectEvent("advertised.changed", phone.ID).Position
	}

	ctx, rest := context.WithCancel(t.Context())
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() { callRepeatedly(ctx, t, rafi.through, phone.ID, rafi.token) })
	}
	if err := c.nodes[0].stop(); err != nil {
		t.Fatal(err)
	}
	rest()
	callers.Wait()

	rafi.call(http.MethodDelete, "/bookings/"+booking, nil, nil)
	moved := 0
	for _, screen := range screens {
		if screen.expectEventOrReconnect("advertised.changed", phone.ID) {
			continue
		}
		moved++
		again := c.nodes[1].through(p).live(map[string]string{"advertised": position})
		again.expectEvent("advertised.changed", phone.ID) // it was missed, and follows
	}
	if moved == 0 || moved == len(screens) {
		t.Errorf("%d of %d were on the node that left", moved, len(screens))
	}
}

// callRepeatedly reads, and tries to book a booked phone, over new and reused
// connections until the context ends.
func callRepeatedly(ctx context.Context, t *testing.T, url, phone, token string) {
	t.Helper()
	client := http.Client{Transport: new(http.Transport)}
	defer client.CloseIdleConnections()
	for ctx.Err() == nil {
		for _, c := range []struct {
			method, path string
			status       int
		}{
			{http.MethodGet, "/products/advertised", http.StatusOK},
			{http.MethodPut, "/bookings", http.StatusOK}, // one's own held phone: the same booking
		} {
			request, err := http.NewRequestWithContext(t.Context(), c.method, url+c.path, strings.NewReader(`{"productID":"`+phone+`","phone":"01700000"}`))
			if err != nil {
				t.Error(err)
				return
			}
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("Authorization", "Bearer "+token)
			answer, err := client.Do(request)
			if err != nil {
				t.Errorf("%s %s: %v", c.method, c.path, err)
				return
			}
			_ = answer.Body.Close()
			if answer.StatusCode != c.status {
				t.Errorf("%s %s: %s", c.method, c.path, answer.Status)
			}
		}
	}
}

// expectEventOrReconnect waits for the event, or for the close code that sends the
// socket's reader to another node.
func (s *socket) expectEventOrReconnect(kind, id string) (heard bool) {
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
			s.t.Fatalf("%s: %v", text, err)
		}
		if slices.ContainsFunc(f.Events, func(e event) bool { return e.Type == kind && e.Data.ID == id }) {
			return true
		}
	}
}

// The proxy closes a socket that is quiet for longer than its timeout tunnel. Two heartbeats
// fit into it, so that one may be lost.
func TestProxyTunnelTimeoutFitsTwoHeartbeats(t *testing.T) {
	if tunnel := configured(t, "tunnel"); tunnel < 2*hub.DefaultHeartbeat {
		t.Errorf("timeout tunnel is %v, the heartbeat %v", tunnel, hub.DefaultHeartbeat)
	}
}

// A socket stays open with nothing but heartbeats for longer than each timeout of the
// proxy. This takes 80 s and runs in make soak.
func TestIdleSocketOutlivesProxyTimeouts(t *testing.T) {
	t.Parallel()
	const beats = 3
	tunnel := configured(t, "tunnel")
	if beats*hub.DefaultHeartbeat <= tunnel {
		t.Fatalf("timeout tunnel is %v, the heartbeat %v", tunnel, hub.DefaultHeartbeat)
	}
	r := start(t, settingsFor(t, map[string]string{"DEMO": "1"}))
	screen := r.through(startProxy(t, nil, r.URL())).live(map[string]string{"advertised": ""})
	began := time.Now()
	for range beats {
		if err := screen.conn.SetReadDeadline(time.Now().Add(hub.DefaultHeartbeat + patience)); err != nil {
			t.Fatal(err)
		}
		_, text, err := screen.conn.ReadMessage()
		if err != nil || string(text) != "{}" {
			t.Fatalf("after %v: %q, %v", time.Since(began), text, err)
		}
	}
	if alive := time.Since(began); alive <= tunnel || alive <= configured(t, "client") || alive <= configured(t, "server") {
		t.Errorf("only %v", alive)
	}
	rafi := r.login(buyer)
	phone := rafi.advertised()[0]
	rafi.books(phone.ID)
	screen.expectEvent("advertised.changed", phone.ID)
}

// configured returns a timeout of the proxy's configuration.
func configured(t *testing.T, name string) time.Duration {
	t.Helper()
	text, err := os.ReadFile(proxyConfig)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^\s+timeout ` + name + ` (\S+)$`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("no timeout %s", name)
	}
	timeout, err := time.ParseDuration(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return timeout
}
