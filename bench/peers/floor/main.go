// Command floor is what a fan-out costs at least in Go: it writes ready bytes to
// bare TCP connections, all that waits in one write. It has no protocol, no
// topics, no memory of what was, and waits for the slowest.
package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"sync"
)

// floor is the readers and what waits for them.
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

// publish takes an event.
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

// flush writes the waiting messages to all sockets.
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
