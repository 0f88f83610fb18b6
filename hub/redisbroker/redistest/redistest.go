//go:build unix

// Package redistest runs a real Redis for a test, alone (Start) or as a cluster
// (cluster.go), and stops, restarts, suspends and empties it.
package redistest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// patience is the maximum time for a server to start.
const patience = 3 * time.Minute

// Server is a Redis server with its own address and folder.
type Server struct {
	// URL is a value of REDIS_URL.
	URL string

	address string
	args    []string
	mu      sync.Mutex
	process *exec.Cmd
	ended   chan struct{} // closed when process has ended
}

// Start runs a Redis until the test ends. A restart loses its data, unless args (such as
// "--appendonly", "yes") say otherwise.
func Start(tb testing.TB, args ...string) *Server {
	tb.Helper()
	s := &Server{address: FreeAddress(tb)}
	s.URL = "redis://" + s.address
	host, port, _ := net.SplitHostPort(s.address)
	s.args = append([]string{
		"--port", port, "--bind", host, "--dir", tb.TempDir(),
		"--save", "", "--loglevel", "warning", "--daemonize", "no",
	}, args...)
	s.Restart(tb)
	tb.Cleanup(s.Kill)
	return s
}

// Address returns the host and the port.
func (s *Server) Address() string { return s.address }

// Kill sends SIGKILL to the server. It does nothing if the server is not running.
func (s *Server) Kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil {
		return
	}
	_ = s.process.Process.Signal(syscall.SIGCONT)
	_ = s.process.Process.Kill()
	<-s.ended
	s.process = nil
}

// Restart kills the server if it is running, starts it, and waits until it responds.
func (s *Server) Restart(tb testing.TB) {
	tb.Helper()
	s.Kill()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.process = exec.Command("redis-server", s.args...)
	s.process.Stderr = os.Stderr
	if err := s.process.Start(); err != nil {
		tb.Fatalf("no Redis (Debian: apt-get install redis-server): %v", err)
	}
	ended, process := make(chan struct{}), s.process
	s.ended = ended
	go func() {
		_ = process.Wait()
		close(ended)
	}()
	c := s.Client()
	defer func() { _ = c.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for c.Ping(ctx).Err() != nil {
		select {
		case <-ticker.C:
		case <-ended:
			tb.Fatal("Redis ended immediately after its start")
		case <-ctx.Done():
			tb.Fatal("Redis does not respond")
		}
	}
}

// Hang suspends the server until Resume. It accepts connections, but does not respond.
func (s *Server) Hang(tb testing.TB) { s.signal(tb, syscall.SIGSTOP) }

// Resume ends a Hang.
func (s *Server) Resume(tb testing.TB) { s.signal(tb, syscall.SIGCONT) }

func (s *Server) signal(tb testing.TB, sig syscall.Signal) {
	tb.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil {
		tb.Fatal("Redis is not running")
	}
	if err := s.process.Process.Signal(sig); err != nil {
		tb.Fatal(err)
	}
}

// Client returns a new client, which the caller must close.
func (s *Server) Client() *redis.Client {
	return redis.NewClient(&redis.Options{Addr: s.address, DisableIdentity: true, Protocol: 2})
}

// Do runs a command and returns the response.
func (s *Server) Do(tb testing.TB, args ...any) any {
	tb.Helper()
	c := s.Client()
	defer func() { _ = c.Close() }()
	response, err := c.Do(context.Background(), args...).Result()
	if err != nil {
		tb.Fatalf("%v: %v", fmt.Sprint(args...), err)
	}
	return response
}

// FreeAddress returns an address of this machine that nobody listens on. The port is below
// those that the kernel gives to connections (32768 and up): one of those could be taken
// while a server is stopped. A server of a cluster also listens on its port + 10,000.
func FreeAddress(tb testing.TB) string {
	tb.Helper()
	for range 100 {
		address := net.JoinHostPort("127.0.0.1", strconv.Itoa(10_000+rand.IntN(12_000)))
		l, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", address)
		if err == nil {
			_ = l.Close()
			return address
		}
	}
	tb.Fatal("no free port between 10000 and 22000")
	return ""
}
