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

// openFilesEnv has the limit of the file descriptors of a process.
const openFilesEnv = "SECONDRING_TEST_FILES"

// limitOpenFiles limits the file descriptors of the process if openFilesEnv is set.
func limitOpenFiles() error {
	if os.Getenv(openFilesEnv) == "" {
		return nil
	}
	limit, err := strconv.ParseUint(os.Getenv(openFilesEnv), 10, 64)
	if err != nil {
		return err
	}
	return syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: limit, Max: limit})
}

// slowClients are attacks: each connection sends the beginning of a request, then a few more
// bytes from time to time, and reads no response.
var slowClients = map[string]struct{ begin, more string }{
	"sends nothing":              {"", ""},
	"never ends the header":      {"GET / HTTP/1.1\r\nHost: x\r\nX-A: ", "a"},
	"never ends the body":        {"POST /identity/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{", " "},
	"never ends the chunks":      {"POST /identity/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n"},
	"never ends the upload":      {"POST /images HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 9999999\r\n\r\n--b\r\n", "a"},
	"never reads the responses":  {pipelinedRequests, ""},
	"never ends the handshake":   {"GET /live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n", "X-A: a\r\n"},
	"never ends the first frame": {handshake + "\x81\xfe\x7f\xff", "a"},
	"sends only pongs":           {handshake, "\x8a\x80\x00\x00\x00\x00"},
}

const handshake = "GET /live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
	"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: secondring.v1\r\n\r\n"

// pipelinedRequests requests more data than the buffers of a connection hold.
var pipelinedRequests = func() (all string) {
	for range 12 {
		all += "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
	}
	return all
}()

// keepSlowConnections keeps n connections of a kind open until ctx ends: it reopens those
// that the server closes.
func (s *testServer) keepSlowConnections(ctx context.Context, kind string, n int) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for ctx.Err() == nil {
				s.sendSlowly(ctx, slowClients[kind].begin, slowClients[kind].more)
			}
		})
	}
	wg.Wait()
}

// sendSlowly opens one slow connection and returns when it is closed or ctx ends.
func (s *testServer) sendSlowly(ctx context.Context, begin, more string) {
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
		if _, err := io.WriteString(c, more); err != nil {
			return
		}
		if more == "" && isClosed(c) {
			return
		}
	}
}

// isClosed returns whether the server has closed a connection.
func isClosed(c net.Conn) bool {
	_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := c.Read(make([]byte, 1))
	return err != nil && !errors.Is(err, os.ErrDeadlineExceeded)
}

// There are twice as many slow clients of each kind as the process has file descriptors, and
// they reconnect whenever the server closes their connection. All other clients are served.
func TestSlowCallersDoNotBlockOthers(t *testing.T) {
	t.Parallel() // it waits for processes most of the time
	s := newTestServer(t, openFilesEnv+"=300")
	sellerMail, seller := s.signUp("sela", "Seller")
	phone := s.phones(sellerMail, seller, 1)[0]
	for kind := range slowClients {
		t.Run(kind, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			var all sync.WaitGroup
			all.Go(func() { s.keepSlowConnections(ctx, kind, 600) })
			s.checkServed(t, phone, seller)
			cancel()
			all.Wait()
		})
	}
}

// checkServed makes 30 calls on new connections. It repeats those that fail or are refused,
// as clients do, up to 150 times in all. On an idle machine 30 calls take a few seconds, and about
// ten are repeated.
func (s *testServer) checkServed(t *testing.T, phone, token string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	served, repeated := 0, 0
	for deadline := time.Now().Add(3 * time.Minute); served < 30 && repeated < 150 && time.Now().Before(deadline); {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("http://%s/products/%s", s.addr, phone), nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		if response, err := client.Do(r); err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				served++
				continue
			}
		}
		repeated++
		<-time.After(100 * time.Millisecond)
	}
	t.Logf("%d calls succeeded, %d were repeated", served, repeated)
	if served < 30 {
		t.Errorf("%d calls succeeded, want 30", served)
	}
}
