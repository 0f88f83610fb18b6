package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

// With this in its environment, a process may have so many files and connections.
const filesMark = "SECONDRING_TEST_FILES"

// limitFiles limits the file descriptors of the process to filesMark.
func limitFiles() error {
	most, err := strconv.ParseUint(os.Getenv(filesMark), 10, 64)
	if err != nil {
		return err
	}
	return syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: most, Max: most})
}

// slow are attackers' connections: each sends the beginning of a request, then a byte from
// time to time, and reads no response.
var slow = map[string]struct{ begin, drip string }{
	"never says anything":          {"", ""},
	"never ends its header":        {"GET / HTTP/1.1\r\nHost: x\r\nX-A: ", "a"},
	"never ends its body":          {"POST /identity/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{", " "},
	"never ends its chunks":        {"POST /identity/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n"},
	"never ends its upload":        {"POST /images HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 9999999\r\n\r\n--b\r\n", "a"},
	"never takes its answers":      {manyCalls, ""},
	"never ends its opening":       {"GET /live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n", "X-A: a\r\n"},
	"never ends its first message": {opening + "\x81\xfe\x7f\xff", "a"},
	"stays, and says nothing":      {opening, "\x8a\x80\x00\x00\x00\x00"}, // but for pongs
}

const opening = "GET /live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
	"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: secondring.v1\r\n\r\n"

// manyCalls requests more than a connection's buffers hold.
var manyCalls = func() (all string) {
	for range 12 {
		all += "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
	}
	return all
}()

// keepSlowConnections keeps n connections of one kind open until ctx ends, and reopens those
// that are closed.
func (s *testServer) keepSlowConnections(ctx context.Context, kind string, n int) {
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			for ctx.Err() == nil {
				s.sendSlowly(ctx, slow[kind].begin, slow[kind].drip)
			}
		})
	}
	all.Wait()
}

// sendSlowly opens one such connection and returns when it is closed.
func (s *testServer) sendSlowly(ctx context.Context, begin, drip string) {
	c, err := new(net.Dialer).DialContext(ctx, "tcp", s.addr)
	if err != nil {
		<-time.After(50 * time.Millisecond)
		return
	}
	defer func() { _ = c.Close() }()
	_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
	_ = c.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = io.WriteString(c, begin) // the server need not read all of it
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		_ = c.SetWriteDeadline(time.Now().Add(time.Second))
		if _, err := io.WriteString(c, drip); err != nil {
			return
		}
		if drip == "" && isGone(c) {
			return
		}
	}
}

// isGone tells whether a connection was closed at its other end.
func isGone(c net.Conn) bool {
	_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := c.Read(make([]byte, 1))
	return err != nil && !errors.Is(err, os.ErrDeadlineExceeded)
}

// Twice as many slow callers as the process has descriptors, of every kind, reconnect
// whenever they are cut off. All other callers are served.
func TestSlowCallersDoNotBlockOthers(t *testing.T) {
	t.Parallel() // it waits for processes most of the time
	s := newTestServer(t, filesMark+"=300")
	sellerMail, seller := s.person("sela", "Seller")
	phone := s.phones(sellerMail, seller, 1)[0]
	for kind := range slow {
		t.Run(kind, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			var all sync.WaitGroup
			all.Go(func() { s.keepSlowConnections(ctx, kind, 600) })
			s.serves(t, phone, seller)
			cancel()
			all.Wait()
		})
	}
}

// serves makes calls on new connections, and repeats those that get Retry-After, as
// clients do.
func (s *testServer) serves(t *testing.T, phone, token string) {
	t.Helper()
	alone := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	served, late := 0, 0
	for deadline := time.Now().Add(20 * time.Second); served < 30 && time.Now().Before(deadline); {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("http://%s/products/%s", s.addr, phone), nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		if answer, err := alone.Do(r); err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				served++
				continue
			}
		}
		late++
		<-time.After(100 * time.Millisecond)
	}
	if t.Logf("%d were served, after %d who had to come again", served, late); served < 30 {
		t.Errorf("%d of 30 were served", served)
	}
}
