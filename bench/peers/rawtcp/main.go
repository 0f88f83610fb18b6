// Command rawtcp is a reference for the cost of a fan-out in Go. It writes prepared bytes to
// plain TCP connections, all pending bytes in one write. It has no protocol, no topics and
// no history, and a slow reader delays all others.
package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"sync"
)

// server has the connections of the readers and the pending bytes.
type server struct {
	mu      sync.Mutex
	conns   []net.Conn
	pending []byte
	wake    chan struct{}
}

func main() {
	s := &server{wake: make(chan struct{}, 1)}
	l, err := net.Listen("tcp", os.Getenv("ADDR"))
	if err != nil {
		panic(err)
	}
	calls, err := net.Listen("tcp", os.Getenv("CALLS"))
	if err != nil {
		panic(err)
	}
	go s.flush()
	go func() { _ = http.Serve(calls, http.HandlerFunc(s.publish)) }()
	for {
		conn, err := l.Accept()
		if err != nil {
			panic(err)
		}
		if _, err := io.WriteString(conn, "hello\n"); err != nil {
			continue
		}
		s.mu.Lock()
		s.conns = append(s.conns, conn)
		s.mu.Unlock()
	}
}

// publish adds an event to the pending bytes.
func (s *server) publish(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.pending = append(append(s.pending, body...), '\n')
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
	w.WriteHeader(http.StatusNoContent)
}

// flush writes the pending bytes to all connections.
func (s *server) flush() {
	for range s.wake {
		s.mu.Lock()
		bytes, conns := s.pending, s.conns
		s.pending = nil
		s.mu.Unlock()
		for _, c := range conns {
			_, _ = c.Write(bytes)
		}
	}
}
