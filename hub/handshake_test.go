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
		{"no page at all", "", http.Header{"Origin": {"null"}}, http.StatusForbidden},
		{"own origin", "", own, http.StatusSwitchingProtocols},
		{"no origin", "", nil, http.StatusSwitchingProtocols},
	} {
		t.Run(tc.name, func(t *testing.T) {
			offers := []string{hub.Subprotocol}
			if tc.token != "" {
				offers = append(offers, "bearer."+tc.token)
			}
			reply, err := h.shake(tc.header, offers...)
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
		reply, err := h.shake(http.Header{"Origin": {origin}}, hub.Subprotocol)
		if reply.status != http.StatusForbidden {
			t.Errorf("%q: %d, %v", origin, reply.status, err)
		}
		if reply.ws != nil {
			_ = reply.ws.Close()
		}
	}
}

func TestEmptyBearerIsRefused(t *testing.T) {
	if h := start(t, nil).refused(""); h.status != http.StatusUnauthorized {
		t.Errorf("%d", h.status)
	}
}

func TestClientWithoutSubprotocolIsServed(t *testing.T) {
	h := start(t, nil)
	reply, err := h.shake(nil)
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
	away := func(c *hub.Config) {
		c.Authenticate = func(context.Context, string) (hub.Viewer, error) {
			return hub.Viewer{}, &market.Error{Code: market.CodeUnavailable, Message: "away"}
		}
	}
	h := start(t, away)
	if h := h.refused("any"); h.status != http.StatusServiceUnavailable || h.header.Get("Retry-After") == "" {
		t.Errorf("got %+v", h)
	}
}

func TestIncompleteConfig(t *testing.T) {
	if _, err := hub.New(hub.Config{Authorize: hub.AllowAnyTopic}); err == nil {
		t.Error("no broker, no error")
	}
	b := hub.NewMemoryBroker(hub.HistoryLimits{})
	defer func() { _ = b.Close() }()
	if _, err := hub.New(hub.Config{Broker: b}); err == nil {
		t.Error("no Authorize, no error")
	}
}

// The sockets of one address are limited. A socket that closes makes room for another.
func TestSocketsPerAddressAreLimited(t *testing.T) {
	h := start(t, func(c *hub.Config) {
		c.PerAddress = 3
		c.Address = func(r *http.Request) string { return r.Header.Get("From") }
	})
	dial := func(address string) (*websocket.Conn, int) {
		c, answer, err := websocket.DefaultDialer.DialContext(t.Context(), h.url, http.Header{"From": {address}})
		if err != nil {
			if answer == nil || answer.Header.Get("Retry-After") == "" {
				t.Fatalf("refused without a word when to come back: %v", err)
			}
			return nil, answer.StatusCode
		}
		t.Cleanup(func() { _ = c.Close() })
		return c, answer.StatusCode
	}
	var last *websocket.Conn
	for range 3 {
		last, _ = dial("192.0.2.1")
	}
	if _, status := dial("192.0.2.1"); status != http.StatusTooManyRequests {
		t.Errorf("a fourth socket gets %d", status)
	}
	if _, status := dial("192.0.2.2"); status != http.StatusSwitchingProtocols {
		t.Errorf("another address gets %d", status)
	}
	_ = last.Close()
	for deadline := time.Now().Add(10 * time.Second); ; {
		if _, status := dial("192.0.2.1"); status == http.StatusSwitchingProtocols {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("who has left still takes room")
		}
		runtime.Gosched()
	}
}
