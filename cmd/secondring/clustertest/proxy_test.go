package clustertest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"secondring/hub"
	"secondring/hub/redisbroker/redistest"
)

// respond is the handler of a node that responds to each call.
func respond(http.ResponseWriter, *http.Request) {}

// closeConnection closes the connection without a response, as a killed node does.
func closeConnection(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

func TestForwardedHeadersOfCallersAreDropped(t *testing.T) {
	t.Parallel()
	received := make(chan http.Header, 1)
	node := startStubServer(t, func(_ http.ResponseWriter, r *http.Request) { received <- r.Header })
	p := startProxy(t, nil, node.address())
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/config", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header["X-Forwarded-For"] = []string{"198.51.100.1, 198.51.100.2", "198.51.100.3"}
	request.Header.Set("X-Forwarded-Proto", "https")
	request.Header.Set("X-Real-Ip", "198.51.100.4")
	request.Header.Set("Forwarded", "for=198.51.100.5")
	request.Header.Set("X-Request-Id", "chosen-by-the-caller")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	h := <-received
	if got := h.Values("X-Forwarded-For"); !slices.Equal(got, []string{"127.0.0.1"}) {
		t.Errorf("X-Forwarded-For is %q, want only the caller's address", got)
	}
	if got := h.Values("X-Forwarded-Proto"); !slices.Equal(got, []string{"http"}) {
		t.Errorf("X-Forwarded-Proto is %q, want http", got)
	}
	if got := h.Values("X-Request-Id"); len(got) != 1 || len(got[0]) != 36 {
		t.Errorf("X-Request-Id is %q, want one new UUID", got)
	}
	if h.Get("X-Real-Ip") != "" || h.Get("Forwarded") != "" {
		t.Errorf("X-Real-Ip or Forwarded was forwarded: %v", h)
	}
}

// If a node exits during a call, the proxy repeats reads on another node, but not writes.
func TestProxyDoesNotRetryWrites(t *testing.T) {
	t.Parallel()
	var died atomic.Bool
	var calls atomic.Int32
	serve := func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		if died.CompareAndSwap(false, true) {
			closeConnection(w, r)
		}
	}
	p := startProxy(t, nil, startStubServer(t, serve).address(), startStubServer(t, serve).address(), startStubServer(t, serve).address())
	for _, c := range []struct {
		method string
		status int
		calls  int32
	}{
		{http.MethodGet, http.StatusOK, 2},
		{http.MethodHead, http.StatusOK, 2},
		{http.MethodPut, http.StatusBadGateway, 1},
		{http.MethodPost, http.StatusBadGateway, 1},
		{http.MethodPatch, http.StatusBadGateway, 1},
		{http.MethodDelete, http.StatusBadGateway, 1},
	} {
		died.Store(false)
		calls.Store(0)
		answer, err := p.send(c.method, p.url+"/bookings")
		if err != nil {
			t.Fatal(err)
		}
		if answer.StatusCode != c.status || calls.Load() != c.calls {
			t.Errorf("%s: %s after %d calls, want %d after %d", c.method, answer.Status, calls.Load(), c.status, c.calls)
		}
		if c.status != http.StatusOK && answer.Header.Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After: %v", c.method, answer.Header)
		}
	}
}

// If a node accepts no connections and the proxy has not noticed yet, even a booking is sent
// to another node.
func TestProxyRetriesFailedConnections(t *testing.T) {
	t.Parallel()
	node := startStubServer(t, respond)
	p := startProxy(t, nil, node.address(), redistest.FreeAddress(t), redistest.FreeAddress(t))
	for range 3 { // before the proxy's first health check, or after it
		if answer, err := p.send(http.MethodPut, p.url+"/bookings"); err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("a booking: %v, %v; want 200", answer, err)
		}
	}
	if calls := node.calls.Load(); calls != 3 {
		t.Errorf("the node got %d calls, want 3", calls)
	}
}

// A node that is not ready gets no new connections, and keeps its open ones.
func TestUnreadyNodeGetsNoNewConnections(t *testing.T) {
	t.Parallel()
	first, second := startStubServer(t, echo), startStubServer(t, respond)
	second.ready.Store(http.StatusServiceUnavailable)
	p := startProxy(t, nil, first.address(), second.address())
	p.waitForState("node-2", "DOWN")
	conn, answer, err := websocket.DefaultDialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(p.url, "http")+"/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	defer func() { _ = conn.Close() }()

	second.ready.Store(http.StatusOK)
	p.waitForState("node-2", "UP")
	first.ready.Store(http.StatusServiceUnavailable)
	p.waitForState("node-1", "DOWN")
	before := first.calls.Load()
	for range 20 {
		if status := p.get(p.url + "/config"); status != http.StatusOK {
			t.Fatalf("a call: %d, want 200", status)
		}
	}
	if first.calls.Load() != before || second.calls.Load() != 20 {
		t.Errorf("%d new calls went to the node that is not ready and %d to the other, want 0 and 20", first.calls.Load()-before, second.calls.Load())
	}
	if err := conn.WriteMessage(websocket.TextMessage, []byte("ping")); err != nil {
		t.Fatal(err)
	}
	if _, text, err := conn.ReadMessage(); err != nil || string(text) != "ping" {
		t.Errorf("the open socket returned %q, %v; want ping", text, err)
	}
}

// echo is the handler of a node whose socket returns each message.
func echo(w http.ResponseWriter, r *http.Request) {
	conn, err := new(websocket.Upgrader).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	for {
		kind, text, err := conn.ReadMessage()
		if err != nil || conn.WriteMessage(kind, text) != nil {
			return
		}
	}
}

// If no node is ready, because a server that they need is unavailable, the proxy still sends
// calls to the nodes.
func TestUnreadyNodesAnswerIfNoneIsReady(t *testing.T) {
	t.Parallel()
	node := startStubServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	node.ready.Store(http.StatusServiceUnavailable)
	p := startProxy(t, nil, node.address())
	p.expectNoReadyNode()
	if status := p.get(p.url + "/"); status != http.StatusOK {
		t.Errorf("a page: %d, want 200", status)
	}
	answer, err := p.send(http.MethodPut, p.url+"/bookings")
	if err != nil || answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") != "7" {
		t.Errorf("a booking: %v %v, want the node's 503", answer, err)
	}
}

// Without any node the proxy returns 503 in the format of the API's errors.
func TestProxyAnswers503WithoutNodes(t *testing.T) {
	t.Parallel()
	p := startProxy(t, nil)
	p.expectNoReadyNode()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/config", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	var failure struct{ Message, Code string }
	err = json.NewDecoder(answer.Body).Decode(&failure)
	if err != nil || failure.Code != "unavailable" || failure.Message == "" {
		t.Errorf("the body is %+v, %v; want a message and the code unavailable", failure, err)
	}
	if answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" {
		t.Errorf("%s %v, want 503 with Retry-After", answer.Status, answer.Header)
	}
}

// The proxy closes a socket without traffic after its "timeout tunnel". Two heartbeats fit
// into it, so that one may be lost.
func TestProxyTunnelTimeoutFitsTwoHeartbeats(t *testing.T) {
	text, err := os.ReadFile(proxyConfig)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^\s+timeout tunnel (\S+)$`).FindSubmatch(text)
	if found == nil {
		t.Fatal("the configuration has no timeout tunnel")
	}
	tunnel, err := time.ParseDuration(string(found[1]))
	if err != nil || tunnel < 2*hub.DefaultHeartbeat {
		t.Errorf("timeout tunnel is %v, %v; want at least two heartbeats of %v", tunnel, err, hub.DefaultHeartbeat)
	}
}
