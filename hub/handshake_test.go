package hub_test

import (
	"context"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"secondring/hub"
	"secondring/market"
)

func TestHandshakeRefusals(t *testing.T) {
	h := start(t, nil)
	foreign := http.Header{"Origin": {"http://evil.example"}}
	own := http.Header{"Origin": {"http://LOCALHOST:8080"}}
	for _, tc := range []struct {
		name, token string
		header      http.Header
		want        int
	}{
		{"bad token", "nonsense", nil, http.StatusUnauthorized},
		{"foreign origin", "", foreign, http.StatusForbidden},
		{"foreign origin and bad token", "nonsense", foreign, http.StatusForbidden},
		{"origin null", "", http.Header{"Origin": {"null"}}, http.StatusForbidden},
		{"own origin", "", own, http.StatusSwitchingProtocols},
		{"no origin", "", nil, http.StatusSwitchingProtocols},
	} {
		t.Run(tc.name, func(t *testing.T) {
			subprotocols := []string{hub.Subprotocol}
			if tc.token != "" {
				subprotocols = append(subprotocols, "bearer."+tc.token)
			}
			reply, err := h.handshake(tc.header, subprotocols...)
			if reply.status != tc.want {
				t.Errorf("got %d, want %d, %v", reply.status, tc.want, err)
			}
			if reply.ws != nil {
				_ = reply.ws.Close()
			}
		})
	}
}

// A browser sends the cookie with a socket from any page without a preflight, so the
// Origin is compared exactly.
func TestSimilarOriginsAreRefused(t *testing.T) {
	h := start(t, nil) // allows http://localhost:8080
	for _, origin := range []string{
		"https://localhost:8080", "http://localhost", "http://localhost:80", "http://localhost:80801", "http://localhost:808",
		"http://localhost:8080.evil.example", "http://localhost.evil.example:8080", "http://evil-localhost:8080",
		"http://localhost:8080@evil.example", "http://evil.example/http://localhost:8080", "http://evil.example#localhost:8080",
		"http://127.0.0.1:8080", "http://[::1]:8080", "http://localhost.:8080", "http://locаlhost:8080", // an а that is not Latin
		"localhost:8080", "//localhost:8080", "null", "file://", "ws://localhost:8080", "chrome-extension://localhost:8080",
		"http://localhost:8080, http://evil.example", "http://localhost:8080 http://evil.example", "*",
	} {
		reply, err := h.handshake(http.Header{"Origin": {origin}}, hub.Subprotocol)
		if reply.status != http.StatusForbidden {
			t.Errorf("origin %q: status %d (%v), want 403", origin, reply.status, err)
		}
		if reply.ws != nil {
			_ = reply.ws.Close()
		}
	}
}

func TestEmptyBearerIsRefused(t *testing.T) {
	if r := start(t, nil).wantRefused(""); r.status != http.StatusUnauthorized {
		t.Errorf("status is %d, want 401", r.status)
	}
}

func TestClientWithoutSubprotocolIsServed(t *testing.T) {
	h := start(t, nil)
	reply, err := h.handshake(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reply.ws.Close() }()
	if got := reply.header.Get("Sec-WebSocket-Protocol"); got != "" {
		t.Errorf("selected %q", got)
	}
	c := &client{t: t, ws: reply.ws}
	if f := c.read(); f.Hello == nil {
		t.Errorf("got %+v", f)
	}
	c.subscribe(map[string]string{"advertised": ""})
}

func TestPlainRequestIsRefused(t *testing.T) {
	h := start(t, nil)
	resp, err := http.Get("http" + strings.TrimPrefix(h.url, "ws") + "/live")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusBadRequest || resp.Header.Get("Content-Type") != "application/json" {
		t.Errorf("got %d %v", resp.StatusCode, resp.Header)
	}
}

func TestUndecidedHandshakeIs503(t *testing.T) {
	unavailable := func(c *hub.Config) {
		c.Authenticate = func(context.Context, string) (hub.Viewer, error) {
			return hub.Viewer{}, &market.Error{Code: market.CodeUnavailable, Message: "unavailable"}
		}
	}
	h := start(t, unavailable)
	if r := h.wantRefused("any"); r.status != http.StatusServiceUnavailable || r.header.Get("Retry-After") == "" {
		t.Errorf("got %+v, want status 503 with Retry-After", r)
	}
}

func TestIncompleteConfig(t *testing.T) {
	if _, err := hub.New(hub.Config{Authorize: hub.AllowAnyTopic}); err == nil {
		t.Error("New accepts a Config without a Broker")
	}
	b := hub.NewMemoryBroker(hub.HistoryLimits{})
	defer func() { _ = b.Close() }()
	if _, err := hub.New(hub.Config{Broker: b}); err == nil {
		t.Error("New accepts a Config without Authorize")
	}
}

// The number of sockets of one address is limited. A closed socket does not count.
func TestSocketsPerAddressAreLimited(t *testing.T) {
	h := start(t, func(c *hub.Config) {
		c.PerAddress = 3
		c.Address = func(r *http.Request) string { return r.Header.Get("From") }
	})
	dial := func(address string) (*websocket.Conn, int) {
		c, response, err := websocket.DefaultDialer.DialContext(t.Context(), h.url, http.Header{"From": {address}})
		if err != nil {
			if response == nil || response.Header.Get("Retry-After") == "" {
				t.Fatalf("the refusal has no Retry-After: %v", err)
			}
			return nil, response.StatusCode
		}
		t.Cleanup(func() { _ = c.Close() })
		return c, response.StatusCode
	}
	var last *websocket.Conn
	for range 3 {
		last, _ = dial("192.0.2.1")
	}
	if _, status := dial("192.0.2.1"); status != http.StatusTooManyRequests {
		t.Errorf("the fourth socket gets status %d, want 429", status)
	}
	if _, status := dial("192.0.2.2"); status != http.StatusSwitchingProtocols {
		t.Errorf("a socket of another address gets status %d, want 101", status)
	}
	_ = last.Close()
	for deadline := time.Now().Add(3 * time.Minute); ; {
		if _, status := dial("192.0.2.1"); status == http.StatusSwitchingProtocols {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("a closed socket still counts for its address")
		}
		runtime.Gosched()
	}
}
