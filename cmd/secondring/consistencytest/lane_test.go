package consistencytest_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// front leads each connection to a node that takes it, chosen by chance.
type front struct {
	net.Listener
	nodes []string // host and port
}

func startFront(t *testing.T, nodes []string) *front {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &front{Listener: listener, nodes: nodes}
	var all sync.WaitGroup
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	all.Go(func() {
		for {
			in, err := f.Accept()
			if err != nil {
				return // closed
			}
			all.Go(func() { f.lead(ctx, in) })
		}
	})
	t.Cleanup(func() {
		_ = f.Close()
		stop()
		all.Wait()
	})
	return f
}

// lead carries a connection's bytes both ways until either side has enough.
func (f *front) lead(ctx context.Context, in net.Conn) {
	defer func() { _ = in.Close() }()
	var dialer net.Dialer
	for _, i := range rand.Perm(len(f.nodes)) {
		out, err := dialer.DialContext(ctx, "tcp", f.nodes[i])
		if err != nil {
			continue
		}
		ended := context.AfterFunc(ctx, func() { _, _ = in.Close(), out.Close() })
		defer ended()
		var both sync.WaitGroup
		carry := func(to, from net.Conn) {
			_, _ = io.Copy(to, from) // however it ends
			_, _ = to.Close(), from.Close()
		}
		both.Go(func() { carry(out, in) })
		carry(in, out)
		both.Wait()
		return
	}
}

// lane is a network between some clients and the front.
type lane struct {
	t     *testing.T
	proxy *toxiproxy.Proxy
	url   string
}

func newLane(t *testing.T, f *front) *lane {
	t.Helper()
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.New(io.Discard))
	l := &lane{t: t, proxy: toxiproxy.NewProxy(server, "lane", "127.0.0.1:0", f.Addr().String())}
	if err := l.proxy.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.proxy.Stop)
	l.url = "http://" + l.proxy.Listen
	return l
}

// cut ends all its connections; new ones can be made.
func (l *lane) cut() {
	l.proxy.Stop()
	if err := l.proxy.Start(); err != nil {
		l.t.Error(err)
	}
}

// delay holds up everything that is sent on it, by up to so many milliseconds,
// until heal.
func (l *lane) delay(ms int) {
	toxic := fmt.Sprintf(`{"name":"slow","type":"latency","stream":"downstream","attributes":{"latency":%d,"jitter":%d}}`, ms/2, ms/2)
	if _, err := l.proxy.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
		l.t.Error(err)
	}
}

func (l *lane) heal() { l.proxy.Toxics.ResetToxics(context.WithoutCancel(l.t.Context())) }
