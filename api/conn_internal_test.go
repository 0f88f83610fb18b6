package api

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"
)

// pair is both ends of a connection; the first is Listen's.
func pair(t *testing.T) (*conn, net.Conn) {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	far, err := new(net.Dialer).DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	near, err := Listen(l, new(http.Server), 0).Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = near.Close(), far.Close() })
	c, ok := near.(*conn)
	if !ok {
		t.Fatalf("a %T was accepted", near)
	}
	return c, far
}

// A ready answer takes the place of the empty one, once, with what net/http has
// decided about the connection; nothing else is touched.
func TestAReadyAnswerTakesItsPlace(t *testing.T) {
	large := bytes.Repeat([]byte("b"), 1<<20)
	empty := "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
	kept := "Date: now\r\nConnection: close\r\n\r\n"
	for name, c := range map[string]struct {
		body          []byte
		written, want string
	}{
		"small":          {[]byte("body"), empty, "HEAD\r\nOWN\r\n" + kept + "body"},
		"large":          {large, empty, "HEAD\r\nOWN\r\n" + kept + string(large)},
		"something else": {[]byte("body"), "HTTP/1.1 400 Bad Request\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			near, far := pair(t)
			go func() {
				near.ready = &readyAnswer{head: []byte("HEAD\r\n"), own: []byte("OWN\r\n"), body: c.body}
				for _, p := range []string{c.written, "next"} {
					if n, err := near.Write([]byte(p)); n != len(p) || err != nil {
						t.Errorf("wrote %d of %d: %v", n, len(p), err)
					}
				}
				_ = near.CloseWrite()
			}()
			got, err := io.ReadAll(far)
			if err != nil || string(got) != c.want+"next" {
				t.Errorf("%d bytes arrived, want %d: %.200q %v", len(got), len(c.want)+4, got, err)
			}
		})
	}
}

// A deadline that was moved away does not end what it was moved away for, and
// one that has come does, whenever it was asked for.
func TestDeadlinesAreThoseAskedFor(t *testing.T) {
	soon := func() time.Time { return time.Now().Add(30 * time.Millisecond) }
	c, far := pair(t)
	for name, later := range map[string]time.Time{"none": {}, "later": time.Now().Add(time.Hour)} {
		_ = c.SetReadDeadline(soon())
		_ = c.SetReadDeadline(later)
		time.AfterFunc(60*time.Millisecond, func() { _, _ = far.Write([]byte("x")) })
		if n, err := c.Read(make([]byte, 1)); n != 1 || err != nil {
			t.Errorf("moved to %s: %v", name, err)
		}
	}
	for name, first := range map[string]time.Time{"none": {}, "later": time.Now().Add(time.Hour), "long ago": time.Unix(1, 0)} {
		_ = c.SetReadDeadline(first)
		_ = c.SetReadDeadline(soon())
		began := time.Now()
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(began) < 20*time.Millisecond {
			t.Errorf("from %s: %v after %v", name, err, time.Since(began))
		}
	}
	_ = c.SetWriteDeadline(soon())
	for range 1000 { // nobody reads: it must come to an end
		if _, err := c.Write(make([]byte, 1<<20)); err != nil {
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error(err)
			}
			return
		}
	}
	t.Error("a writer waits for ever")
}

// Who takes the connection from net/http has its deadlines at once.
func TestATakenConnectionIsAsAnyOther(t *testing.T) {
	c, _ := pair(t)
	_ = c.SetWriteDeadline(time.Now().Add(time.Hour))
	_ = c.SetDeadline(time.Time{})
	_ = c.SetWriteDeadline(time.Now().Add(time.Hour))
	_ = c.SetWriteDeadline(time.Time{})
	if !c.write.armed.IsZero() || !c.read.armed.IsZero() {
		t.Errorf("armed to write until %v, to read until %v", c.write.armed, c.read.armed)
	}
}

// net/http's own times hold on such connections.
func TestASlowCallerIsCutOff(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ReadHeaderTimeout, server.Config.IdleTimeout = 50*time.Millisecond, 50*time.Millisecond
	server.Listener = Listen(server.Listener, server.Config, 0)
	server.Start()
	defer server.Close()
	for name, sent := range map[string]string{
		"idle": "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "half a header": "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HT",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		c, err := new(net.Dialer).DialContext(ctx, "tcp", server.Listener.Addr().String())
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(10 * time.Second))
		_, _ = c.Write([]byte(sent))
		if _, err := io.ReadAll(c); err != nil {
			t.Errorf("%s: not cut off: %v", name, err)
		}
		_ = c.Close()
	}
}
