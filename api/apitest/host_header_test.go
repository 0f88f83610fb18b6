package apitest_test

import (
	"bufio"
	"net"
	"net/http"
	"testing"
)

// A server whose PUBLIC_URL is this machine refuses requests for another host, because they
// come from a page of another site or from the network.
func TestUnknownHostIsMisdirected(t *testing.T) {
	e := newEnv(t)
	for _, path := range []string{"/", "/products/advertised", "/config", "/healthz", "/live", "/assets/app-1a.js"} {
		for _, host := range []string{"evil.example", "evil.example:8080", "192.168.1.7:8080", "localhost.evil.example"} {
			if got := e.statusAt(path, host); got != http.StatusMisdirectedRequest {
				t.Errorf("%s of host %q: status %d, want 421", path, host, got)
			}
		}
		for _, host := range []string{"localhost", "127.0.0.1:1234", "[::1]:8080", "LocalHost:80", "ring.localhost"} {
			if got := e.statusAt(path, host); got == http.StatusMisdirectedRequest {
				t.Errorf("%s of host %q: status 421", path, host)
			}
		}
		// The responses above are cached.
		if got := e.statusAt(path, "evil.example"); got != http.StatusMisdirectedRequest {
			t.Errorf("%s for another host, after a cached response: status %d, want 421", path, got)
		}
	}
}

// A proxy's health check is a request of HTTP/1.0 without a Host header.
func TestHealthCheckNeedsNoHost(t *testing.T) {
	e := newEnv(t)
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", e.server.Listener.Addr().String())
	must(t, err)
	defer func() { _ = conn.Close() }()
	_, err = conn.Write([]byte("GET /healthz HTTP/1.0\r\n\r\n"))
	must(t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	must(t, err)
	must(t, response.Body.Close())
	if response.StatusCode != http.StatusOK {
		t.Errorf("status %s, want 200", response.Status)
	}
}

func TestPublicServerAcceptsEveryHost(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.config.PublicURL = "https://phones.example" })
	if got := e.statusAt("/config", "another.example"); got != http.StatusOK {
		t.Errorf("status %d, want 200", got)
	}
}

// statusAt returns the status of a path with a Host header.
func (e *env) statusAt(path, host string) int {
	e.t.Helper()
	r, err := http.NewRequestWithContext(e.t.Context(), http.MethodGet, e.server.URL+path, http.NoBody)
	must(e.t, err)
	r.Host = host
	response, err := e.server.Client().Do(r)
	must(e.t, err)
	must(e.t, response.Body.Close())
	return response.StatusCode
}
