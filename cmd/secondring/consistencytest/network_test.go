package consistencytest_test

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
)

// balancer forwards each connection to a random node that accepts it.
type balancer struct {
	net.Listener
	nodes []string // host and port
}

func startBalancer(t *testing.T, nodes []string) *balancer {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &balancer{Listener: listener, nodes: nodes}
	var all sync.WaitGroup
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	all.Go(func() {
		for {
			in, err := b.Accept()
			if err != nil {
				return // closed
			}
			all.Go(func() { b.forward(ctx, in) })
		}
	})
	t.Cleanup(func() {
		_ = b.Close()
		stop()
		all.Wait()
	})
	return b
}

// forward copies the bytes of a connection in both directions until one side closes it.
func (b *balancer) forward(ctx context.Context, in net.Conn) {
	defer func() { _ = in.Close() }()
	var dialer net.Dialer
	for _, i := range rand.Perm(len(b.nodes)) {
		out, err := dialer.DialContext(ctx, "tcp", b.nodes[i])
		if err != nil {
			continue
		}
		stopClosing := context.AfterFunc(ctx, func() { _, _ = in.Close(), out.Close() })
		defer stopClosing()
		var both sync.WaitGroup
		copyAndClose := func(to, from net.Conn) {
			_, _ = io.Copy(to, from) // an error ends the connection, too
			_, _ = to.Close(), from.Close()
		}
		both.Go(func() { copyAndClose(out, in) })
		copyAndClose(in, out)
		both.Wait()
		return
	}
}
