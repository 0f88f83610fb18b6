package hub_test

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"

	"secondring/hub"
)

// startInBubble starts a harness whose network is net.Pipe, so that it can run in a
// synctest bubble.
func startInBubble(t *testing.T, change func(*hub.Config)) *harness {
	t.Helper()
	h := newHarness(t, change)
	h.pipes = &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
	h.url = "ws://pipe"
	server := &http.Server{Handler: h.hub}
	go func() { _ = server.Serve(h.pipes) }()
	h.closeWith(func() { _ = server.Close() })
	return h
}

// pipes is a net.Listener and its dialer.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.conns <- server:
		return client, nil
	case <-p.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *pipes) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

// Addr implements net.Listener.
func (*pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }
