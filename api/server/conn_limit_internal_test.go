package server

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"secondring/market"
)

// newLimitedServer returns a server with a connection limit. Its handler for /wait blocks until
// release is closed.
func newLimitedServer(t *testing.T, most int) (server *httptest.Server, limit *connLimit, release chan struct{}) {
	t.Helper()
	release = make(chan struct{})
	concurrency := newConcurrency(9, time.Minute)
	server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/wait" {
			_ = concurrency.serve(w, r, func(http.ResponseWriter, *http.Request) error {
				<-release
				return nil
			})
		}
	}))
	limit = LimitConnections(server.Listener, server.Config, most).(*connLimit)
	server.Listener = limit
	server.Start()
	t.Cleanup(server.Close)
	return server, limit, release
}

func dial(t *testing.T, server *httptest.Server) net.Conn {
	t.Helper()
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// statusOn sends a request on a connection and returns the response's status; 0 if the
// connection was closed.
func statusOn(t *testing.T, c net.Conn, path string) int {
	t.Helper()
	if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		return 0
	}
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0
	}
	_ = response.Body.Close()
	return response.StatusCode
}

// setInactive sets how long all connections have been inactive.
func (l *connLimit) setInactive(ago time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for caller := range l.callers {
		caller.active.Store(int64(market.Monotonic() - ago))
	}
}

// counts returns how many connections are open, and how many of them have a request that is
// being served.
func (l *connLimit) counts() (open, served int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for caller := range l.callers {
		if caller.serving.Load() {
			served++
		}
	}
	return l.open, served
}

// eventually waits until is returns true.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !is(); <-time.After(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("timeout: " + what)
		}
	}
}

func TestIdleConnectionsAreClosedForNewOnes(t *testing.T) {
	server, limit, _ := newLimitedServer(t, 4)
	for _, partial := range []string{"", "GET / HTTP/1.1\r\nHo", "PUT /wait HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{", "GET"} {
		if _, err := io.WriteString(dial(t, server), partial); err != nil { // the rest is never sent
			t.Fatal(err)
		}
	}
	eventually(t, "all connections are open", func() bool { open, _ := limit.counts(); return open == 4 })
	limit.setInactive(-time.Minute) // independent of the machine's speed
	if got := statusOn(t, dial(t, server), "/"); got != http.StatusServiceUnavailable {
		t.Errorf("while the connections are active: %d, want 503", got)
	}
	limit.setInactive(time.Minute)
	if got := statusOn(t, dial(t, server), "/"); got != http.StatusOK {
		t.Errorf("while the connections are idle: %d, want 200", got)
	}
	if open, _ := limit.counts(); open > 4 {
		t.Errorf("%d connections are open, want at most 4", open)
	}
}

func TestActiveConnectionsAreKept(t *testing.T) {
	server, limit, release := newLimitedServer(t, 2)
	served := make(chan int, 2)
	for range 2 {
		c := dial(t, server)
		go func() { served <- statusOn(t, c, "/wait") }()
	}
	eventually(t, "both requests are being served", func() bool { open, served := limit.counts(); return open == 2 && served == 2 })
	limit.setInactive(time.Minute)
	if got := statusOn(t, dial(t, server), "/"); got != http.StatusServiceUnavailable {
		t.Errorf("the third request: %d, want 503", got)
	}
	close(release)
	for range 2 {
		if got := <-served; got != http.StatusOK {
			t.Errorf("a request that was being served: %d, want 200", got)
		}
	}
	eventually(t, "both requests have ended", func() bool { _, served := limit.counts(); return served == 0 })
	limit.setInactive(time.Minute)
	if got := statusOn(t, dial(t, server), "/"); got != http.StatusOK {
		t.Errorf("a later request: %d, want 200", got)
	}
}

func TestClosedConnectionsAreNotCounted(t *testing.T) {
	server, limit, _ := newLimitedServer(t, 50)
	for range 30 {
		c := dial(t, server)
		if got := statusOn(t, c, "/"); got != http.StatusOK {
			t.Fatal(got)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "no connection is open", func() bool { open, _ := limit.counts(); return open == 0 })
}
