//go:build unix

// Package redistest runs a real Redis for a test, alone (Start) or as a cluster
// (cluster.go), and stops, restarts, suspends and empties it.
package redistest

import (
	"context"
	"fmt"
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

// patience is how long a server may take to start or to end.
const patience = 20 * time.Second

// Server is one Redis on an address of its own, with a folder of its own.
type Server struct {
	// URL as REDIS_URL takes it.
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
	port := freePort(tb)
	s := &Server{address: net.JoinHostPort("127.0.0.1", strconv.Itoa(port))}
	s.URL = "redis://" + s.address
	s.args = append([]string{
		"--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--dir", tb.TempDir(),
		"--save", "", "--loglevel", "warning", "--daemonize", "no",
	}, args...)
	s.Restart(tb)
	tb.Cleanup(s.Kill)
	return s
}

// Address is host and port.
func (s *Server) Address() string { return s.address }

// Kill ends the server as a crash does. It may have ended already.
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

// Restart starts the server anew and waits until it answers.
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
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for c.Ping(ctx).Err() != nil {
		select {
		case <-again.C:
		case <-ended:
			tb.Fatal("Redis ended at once")
		case <-ctx.Done():
			tb.Fatal("Redis does not answer")
		}
	}
}

// Hang suspends the server until Resume: it accepts connections and answers nothing.
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

// Client returns a client of one's own; close it.
func (s *Server) Client() *redis.Client {
	return redis.NewClient(&redis.Options{Addr: s.address, DisableIdentity: true, Protocol: 2})
}

// Do runs a command and returns its answer.
func (s *Server) Do(tb testing.TB, args ...any) any {
	tb.Helper()
	c := s.Client()
	defer func() { _ = c.Close() }()
	answer, err := c.Do(context.Background(), args...).Result()
	if err != nil {
		tb.Fatalf("%v: %v", fmt.Sprint(args...), err)
	}
	return answer
}

func freePort(tb testing.TB) int {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}
