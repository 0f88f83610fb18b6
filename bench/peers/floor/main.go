// Command floor is a reference for the cost of a fan-out in Go. It writes prepared bytes to
// plain TCP connections, all waiting bytes in one write. It has no protocol, no topics and
// no history, and a slow reader delays all others.
package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"sync"
)

// floor has the connections of the readers and the waiting bytes.
type floor struct {
	mu      sync.Mutex
	conns   []net.Conn
	pending []byte
	wake    chan struct{}
}

func main() {
	f := &floor{wake: make(chan struct{}, 1)}
	l, err := net.Listen("tcp", os.Getenv("ADDR"))
	if err != nil {
		panic(err)
	}
	calls, err := net.Listen("tcp", os.Getenv("CALLS"))
	if err != nil {
		panic(err)
	}
	go f.flush()
	go func() { _ = http.Serve(calls, http.HandlerFunc(f.publish)) }()
	for {
		conn, err := l.Accept()
		if err != nil {
			panic(err)
		}
		if _, err := io.WriteString(conn, "hello\n"); err != nil {
			continue
		}
		f.mu.Lock()
		f.conns = append(f.conns, conn)
		f.mu.Unlock()
	}
}

// publish adds an event to the waiting bytes.
func (f *floor) publish(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	f.mu.Lock()
	f.pending = append(append(f.pending, body...), '\n')
	f.mu.Unlock()
	select {
	case f.wake <- struct{}{}:
	default:
	}
	w.WriteHeader(http.StatusNoContent)
}

// flush writes the waiting bytes to all connections.
func (f *floor) flush() {
	for range f.wake {
		f.mu.Lock()
		bytes, conns := f.pending, f.conns
		f.pending = nil
		f.mu.Unlock()
		for _, c := range conns {
			_, _ = c.Write(bytes)
		}
	}
}
