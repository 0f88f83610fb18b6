package consistencytest_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
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

// network is a proxy of a server.
type network struct {
	t     *testing.T
	proxy *toxiproxy.Proxy
	url   string // of the server, through the proxy
}

// newNetwork starts a proxy of the server at an address.
func newNetwork(t *testing.T, address string) *network {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.New(io.Discard))
	n := &network{t: t, proxy: toxiproxy.NewProxy(server, "network", "127.0.0.1:0", u.Host)}
	if err := n.proxy.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.proxy.Stop)
	u.Host = n.proxy.Listen
	n.url = u.String()
	return n
}

// cut closes all connections. New ones can be made at once.
func (n *network) cut() {
	n.proxy.Stop()
	if err := n.proxy.Start(); err != nil {
		n.t.Error(err)
	}
}

// interrupt interrupts the network until the returned function is called. Either connections are
// closed and new ones refused, or connections stay open and all data is dropped.
func (n *network) interrupt(isClosed bool) (end func()) {
	if isClosed {
		n.proxy.Stop()
		return func() {
			if err := n.proxy.Start(); err != nil {
				n.t.Error(err)
			}
		}
	}
	for _, direction := range []string{"upstream", "downstream"} {
		n.addToxic(fmt.Sprintf(`{"name":%q,"type":"timeout","stream":%[1]q,"attributes":{"timeout":0}}`, direction))
	}
	return n.restore
}

// delay delays responses and events by up to ms milliseconds,
// until restore is called.
func (n *network) delay(ms int) {
	n.addToxic(fmt.Sprintf(`{"name":"slow","type":"latency","stream":"downstream","attributes":{"latency":%d,"jitter":%d}}`, ms/2, ms/2))
}

func (n *network) addToxic(toxic string) {
	if _, err := n.proxy.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
		n.t.Error(err)
	}
}

func (n *network) restore() { n.proxy.Toxics.ResetToxics(context.WithoutCancel(n.t.Context())) }
