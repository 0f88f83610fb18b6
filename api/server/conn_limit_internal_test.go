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

// crowded returns a server with a connection limit, whose handler blocks at /wait.
func crowded(t *testing.T, most int) (server *httptest.Server, limit *connLimit, waits chan struct{}) {
	t.Helper()
	waits = make(chan struct{})
	bound := newConcurrency(9, time.Minute)
	server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/wait" {
			_ = bound.serve(w, r, func(http.ResponseWriter, *http.Request) error {
				<-waits
				return nil
			})
		}
	}))
	limit = LimitConnections(server.Listener, server.Config, most).(*connLimit)
	server.Listener = limit
	server.Start()
	t.Cleanup(server.Close)
	return server, limit, waits
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
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

// setInactive sets how long all connections have been inactive.
func (l *connLimit) setInactive(ago time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for who := range l.callers {
		who.active.Store(int64(market.Monotonic() - ago))
	}
}

func (l *connLimit) counts() (open, served int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for who := range l.callers {
		if who.serving.Load() {
			served++
		}
	}
	return l.open, served
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !is(); <-time.After(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("never: " + what)
		}
	}
}

func TestIdleConnectionsAreClosedForNewOnes(t *testing.T) {
	server, limit, _ := crowded(t, 4)
	for _, never := range []string{"", "GET / HTTP/1.1\r\nHo", "PUT /wait HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{", "GET"} {
		if _, err := io.WriteString(dial(t, server), never); err != nil { // the rest is never sent
			t.Fatal(err)
		}
	}
	eventually(t, "all are in", func() bool { here, _ := limit.counts(); return here == 4 })
	limit.setInactive(-time.Minute) // independent of the machine's speed
	if got := statusOn(t, dial(t, server), "/"); got != http.StatusServiceUnavailable {
		t.Errorf("while they may be asking still: %d", got)
	}
	limit.setInactive(time.Minute)
	if got := statusOn(t, dial(t, server), "/"); got != http.StatusOK {
		t.Errorf("a caller got %d", got)
	}
	if here, _ := limit.counts(); here > 4 {
		t.Errorf("%d are here", here)
	}
}

func TestActiveConnectionsAreKept(t *testing.T) {
	server, limit, waits := crowded(t, 2)
	served := make(chan int, 2)
	for range 2 {
		c := dial(t, server)
		go func() { served <- statusOn(t, c, "/wait") }()
	}
	eventually(t, "both are being served", func() bool { here, served := limit.counts(); return here == 2 && served == 2 })
	limit.setInactive(time.Minute)
	if got := statusOn(t, dial(t, server), "/"); got != http.StatusServiceUnavailable {
		t.Errorf("a third got %d", got)
	}
	close(waits)
	for range 2 {
		if got := <-served; got != http.StatusOK {
			t.Errorf("one who was being served got %d", got)
		}
	}
	eventually(t, "both are answered", func() bool { _, served := limit.counts(); return served == 0 })
	limit.setInactive(time.Minute)
	if got := statusOn(t, dial(t, server), "/"); got != http.StatusOK {
		t.Errorf("later one got %d", got)
	}
}

func TestClosedConnectionsFreeTheirPlaces(t *testing.T) {
	server, limit, _ := crowded(t, 50)
	for range 30 {
		c := dial(t, server)
		if got := statusOn(t, c, "/"); got != http.StatusOK {
			t.Fatal(got)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "no connection is open", func() bool { here, _ := limit.counts(); return here == 0 })
}
