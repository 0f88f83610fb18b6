package server

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"secondring/api/rest"
)

// newLimitedServer returns a server with a connection limit. Its handlers for /wait and /slots block
// until release is closed, the latter before it reads its upload. That for /upload reads it.
func newLimitedServer(t *testing.T, most int) (started *httptest.Server, limit *connLimit, release chan struct{}) {
	t.Helper()
	release = make(chan struct{})
	routes := &server{concurrency: map[string]*concurrency{}}
	wait := func(http.ResponseWriter, *http.Request) error { <-release; return nil }
	handlers := http.NewServeMux()
	handlers.Handle("/wait", routes.handlerOf(rest.Route{Tag: "calls", Handle: wait}))
	handlers.Handle("/slots", routes.handlerOf(rest.Route{Form: struct{}{}, Handle: wait}))
	handlers.Handle("/upload", routes.handlerOf(rest.Route{Form: struct{}{}, Handle: func(_ http.ResponseWriter, r *http.Request) error {
		_, err := io.Copy(io.Discard, r.Body)
		return err
	}}))
	handlers.HandleFunc("/", func(http.ResponseWriter, *http.Request) {})
	started = httptest.NewUnstartedServer(handlers)
	limit = LimitConnections(started.Listener, started.Config, most).(*connLimit)
	started.Listener = limit
	started.Start()
	t.Cleanup(started.Close)
	return started, limit, release
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

// setGrace sets how long a connection that waits for its client is not closed. So no test depends on
// how fast the machine is.
func (l *connLimit) setGrace(grace time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.grace = grace
}

// open returns how many connections are in each state.
func (l *connLimit) open() [closed]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.counts
}

// eventually waits until is returns true.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(3 * time.Minute); !is(); <-time.After(time.Millisecond) {
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
	eventually(t, "all connections are open", func() bool { return limit.open()[waiting] == 4 })
	limit.setGrace(time.Hour)
	if got := statusOn(t, dial(t, server), "/"); got != http.StatusServiceUnavailable {
		t.Errorf("while the connections are active: %d, want 503", got)
	}
	limit.setGrace(0)
	if got := statusOn(t, dial(t, server), "/"); got != http.StatusOK {
		t.Errorf("while the connections are idle: %d, want 200", got)
	}
	if open := limit.open()[waiting]; open > 4 {
		t.Errorf("%d connections are open, want at most 4", open)
	}
}

func TestActiveConnectionsAreKept(t *testing.T) {
	server, limit, release := newLimitedServer(t, 2)
	statuses := make(chan int, 2)
	for range 2 {
		c := dial(t, server)
		go func() { statuses <- statusOn(t, c, "/wait") }()
	}
	eventually(t, "both requests are being served", func() bool { return limit.open()[served] == 2 })
	limit.setGrace(0)
	if got := statusOn(t, dial(t, server), "/"); got != http.StatusServiceUnavailable {
		t.Errorf("the third request: %d, want 503", got)
	}
	close(release)
	for range 2 {
		if got := <-statuses; got != http.StatusOK {
			t.Errorf("a request that was being served: %d, want 200", got)
		}
	}
	eventually(t, "both requests have ended", func() bool { return limit.open()[served] == 0 })
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
	eventually(t, "no connection is open", func() bool { return limit.open() == [closed]int{} })
}

// An upload is kept while it is received, however slow its client is. While it waits until it may be
// received, it is not: any number of them may wait.
func TestUploadsAreKeptWhileTheyAreReceived(t *testing.T) {
	server, limit, release := newLimitedServer(t, 1)
	begin := func(path string) net.Conn {
		c := dial(t, server)
		if _, err := io.WriteString(c, "POST "+path+" HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na"); err != nil {
			t.Fatal(err)
		}
		return c
	}
	received := begin("/upload")
	eventually(t, "the upload is being received", func() bool { return limit.open()[served] == 1 })
	limit.setGrace(0)
	if got := statusOn(t, dial(t, server), "/"); got != http.StatusServiceUnavailable {
		t.Errorf("while an upload is received: %d, want 503", got)
	}
	if _, err := io.WriteString(received, "b"); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(received), nil)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("the upload: %v, %v, want 200", response, err)
	}
	_ = response.Body.Close()
	defer close(release)
	eventually(t, "the upload has ended", func() bool { return limit.open()[waiting] == 1 })
	begin("/slots")
	eventually(t, "the next upload has replaced it", func() bool { return limit.open()[waiting] == 1 && isClosedByServer(received) })
	if got := statusOn(t, dial(t, server), "/"); got != http.StatusOK {
		t.Errorf("while an upload waits: %d, want 200", got)
	}
}

// isClosedByServer returns whether reading ends with another error than a timeout.
func isClosedByServer(c net.Conn) bool {
	_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := c.Read(make([]byte, 1))
	return !errors.Is(err, os.ErrDeadlineExceeded)
}
