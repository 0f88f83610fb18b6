package nodetest

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"
	"testing"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// Network is a TCP proxy of a server. Tests can interrupt and delay it.
type Network struct {
	URL string // of the server, through the proxy

	tb    testing.TB
	proxy *toxiproxy.Proxy
}

// StartNetwork starts a proxy of the server at an address.
func StartNetwork(tb testing.TB, address string) *Network {
	tb.Helper()
	u, err := url.Parse(address)
	if err != nil {
		tb.Fatal(err)
	}
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.New(io.Discard))
	n := &Network{tb: tb, proxy: toxiproxy.NewProxy(server, u.Scheme, "127.0.0.1:0", u.Host)}
	if err := n.proxy.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(n.proxy.Stop)
	u.Host = n.proxy.Listen
	n.URL = u.String()
	return n
}

// Cut closes all connections. New ones can be made at once.
func (n *Network) Cut() { n.Close()() }

// Close closes all connections and refuses new ones until the returned function is called.
func (n *Network) Close() (end func()) {
	n.proxy.Stop()
	return func() {
		if err := n.proxy.Start(); err != nil {
			n.tb.Error(err)
		}
	}
}

// DropData drops all data of open connections until the returned function is called.
func (n *Network) DropData() (end func()) {
	for _, direction := range []string{"upstream", "downstream"} {
		n.addToxic(fmt.Sprintf(`{"name":%q,"type":"timeout","stream":%[1]q,"attributes":{"timeout":0}}`, direction))
	}
	return n.restore
}

// Delay delays what the server sends by up to ms milliseconds, until the returned function is called.
func (n *Network) Delay(ms int) (end func()) {
	n.addToxic(fmt.Sprintf(`{"name":"slow","type":"latency","stream":"downstream","attributes":{"latency":%d,"jitter":%d}}`, ms/2, ms/2))
	return n.restore
}

func (n *Network) addToxic(toxic string) {
	if _, err := n.proxy.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
		n.tb.Error(err)
	}
}

func (n *Network) restore() { n.proxy.Toxics.ResetToxics(context.WithoutCancel(n.tb.Context())) }
