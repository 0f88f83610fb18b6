package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"secondring/cmd/secondring/nodetest"
)

// handshakeStatus requests a socket with an Origin header and returns the response's status.
func (s *testServer) handshakeStatus(origin string) int {
	s.t.Helper()
	socket, response, err := websocket.DefaultDialer.DialContext(s.t.Context(),
		"ws"+strings.TrimPrefix(s.URL(), "http")+"/live", http.Header{"Origin": {origin}})
	if response == nil {
		s.t.Fatal(err)
	}
	_ = response.Body.Close()
	if socket != nil {
		_ = socket.Close()
	}
	return response.StatusCode
}

// Of a site with https, a page over http cannot open a socket: an attacker on the network
// can change the page.
func TestHTTPPageOfHTTPSSiteOpensNoSocket(t *testing.T) {
	srv := start(t, nodetest.Settings(t, map[string]string{
		"PUBLIC_URL": "https://phones.example", "TRUSTED_PROXIES": "none", "STRIPE_SECRET_KEY": "sandbox",
	}))
	host := strings.TrimPrefix(srv.URL(), "http://")
	for origin, want := range map[string]int{
		"http://" + host:         http.StatusForbidden,
		"ftp://" + host:          http.StatusForbidden,
		"https://" + host:        http.StatusSwitchingProtocols,
		"https://phones.example": http.StatusSwitchingProtocols,
		"http://phones.example":  http.StatusForbidden,
	} {
		if got := srv.handshakeStatus(origin); got != want {
			t.Errorf("Origin %s gets %d, want %d", origin, got, want)
		}
	}
}

func TestSocketsNeedOwnOrigin(t *testing.T) {
	srv := start(t, nodetest.Settings(t, map[string]string{"ALLOWED_ORIGINS": "https://shop.example"}))
	for origin, want := range map[string]int{
		srv.URL():                   http.StatusSwitchingProtocols, // though PUBLIC_URL names another port
		"http://localhost:8080":     http.StatusSwitchingProtocols,
		"https://shop.example":      http.StatusSwitchingProtocols,
		"https://evil.example":      http.StatusForbidden,
		srv.URL() + ".evil.example": http.StatusForbidden,
		"null":                      http.StatusForbidden,
	} {
		if got := srv.handshakeStatus(origin); got != want {
			t.Errorf("Origin %s gets %d, want %d", origin, got, want)
		}
	}
}
