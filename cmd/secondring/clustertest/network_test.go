package clustertest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/Shopify/toxiproxy/v2/stream"
	"github.com/rs/zerolog"
)

// network is a TCP proxy between a node and a server. Tests can interrupt it.
type network struct {
	t     *testing.T
	proxy *toxiproxy.Proxy
	url   string // of the server, through the proxy
}

// startNetwork starts a proxy of the server at an address.
func startNetwork(t *testing.T, address string) *network {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.New(io.Discard))
	n := &network{t: t, proxy: toxiproxy.NewProxy(server, u.Scheme, "127.0.0.1:0", u.Host)}
	if err := n.proxy.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.proxy.Stop)
	u.Host = n.proxy.Listen
	n.url = u.String()
	return n
}

// interruptionMethod is a way to interrupt and restore a network.
type interruptionMethod struct {
	name         string
	cut, restore func(*network)
}

// interruptionMethods returns two methods. Either connections are closed and new ones
// refused, or connections stay open and all data is dropped.
func interruptionMethods() []interruptionMethod {
	directions := []stream.Direction{stream.Upstream, stream.Downstream}
	return []interruptionMethod{
		{"closed", func(n *network) { n.proxy.Stop() }, func(n *network) {
			if err := n.proxy.Start(); err != nil {
				n.t.Fatal(err)
			}
		}},
		{"black hole", func(n *network) {
			for _, d := range directions {
				toxic := fmt.Sprintf(`{"name":%q,"type":"timeout","stream":%q,"attributes":{"timeout":0}}`, d.String(), d.String())
				if _, err := n.proxy.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
					n.t.Fatal(err)
				}
			}
		}, func(n *network) { n.proxy.Toxics.ResetToxics(n.t.Context()) }},
	}
}

// interruption is the duration of an interruption. It is twice the timeout of a call of the store, so
// that calls are refused during it also on a busy machine.
const interruption = 10 * time.Second

// The network between one node and Redis is cut. The node serves all but live events; the
// other node is not affected.
func TestNetworkToRedisIsCut(t *testing.T) {
	e, n := startBehindProxy(t, "REDIS_URL")
	for _, method := range interruptionMethods() {
		t.Run(method.name, func(t *testing.T) {
			from, to := e.partitionFirstNode(t, method, n)
			for _, what := range []string{"book", "cancel", "change price", "list"} {
				all := e.acknowledged.between(what, from, to)
				t.Logf("%s, the network cut: %s%s", what, statuses(all), durationText(all))
				if _, _, longest := durationStats(all); count(all, http.StatusServiceUnavailable) > 0 || len(all) == 0 || longest > callLimit/3 {
					t.Errorf("%s, while a node was cut off from Redis: %s%s; want no 503 and no slow call", what, statuses(all), durationText(all))
				}
			}
		})
	}
	e.checkNoLeaks(t)
}

// The network between one node and the store is cut. That node refuses calls soon. Its
// sockets stay open and receive the events of the other node.
func TestNetworkToMongoIsCut(t *testing.T) {
	e, n := startBehindProxy(t, "MONGODB_URI")
	for _, method := range interruptionMethods() {
		t.Run(method.name, func(t *testing.T) {
			from, to := e.partitionFirstNode(t, method, n)
			served, refused := 0, 0
			for _, what := range []string{"book", "change price", "list"} {
				all := e.acknowledged.between(what, from, to)
				t.Logf("%s, the network cut: %s%s", what, statuses(all), durationText(all))
				if _, _, longest := durationStats(all); longest > callLimit {
					t.Errorf("%s, while a node was cut off from the store: %s%s; want no slow call", what, statuses(all), durationText(all))
				}
				served += count(all, http.StatusOK)
				refused += count(all, http.StatusServiceUnavailable)
			}
			if served == 0 || refused == 0 {
				t.Errorf("%d calls were served and %d refused, want some of both", served, refused)
			}
			for _, path := range []string{"/healthz", "/config"} {
				for _, a := range e.acknowledged.between(path, from, to) {
					if a.status != http.StatusOK {
						t.Errorf("%s returns %d, want 200", path, a.status)
					}
				}
			}
			if codes, _ := e.closeCodes(); len(codes) > 0 {
				t.Errorf("sockets were closed with %v, want none closed", codes)
			}
		})
	}
	e.checkNoLeaks(t)
}

// startBehindProxy starts an env whose first node reaches the server of a setting
// through a network that can be interrupted.
func startBehindProxy(t *testing.T, setting string) (*env, *network) {
	t.Helper()
	var n *network
	e := startEnvWith(t, database(t), func(c *cluster) []map[string]string {
		n = startNetwork(t, c.env[setting])
		return []map[string]string{{setting: n.url}, nil}
	})
	e.openClients(t, 120)
	return e, n
}

// partitionFirstNode interrupts the first node's network under load, and checks that the
// market recovers.
func (e *env) partitionFirstNode(t *testing.T, method interruptionMethod, n *network) (from, to time.Time) {
	t.Helper()
	before := e.resources(t)
	l := &load{env: e, pace: 100 * time.Millisecond}
	runWith(func() {
		e.expectProgress(t, "book", 10)
		method.cut(n)
		from = time.Now()
		waitUntilNoProblem(t, "the node returns 503 at /readyz", func() string {
			if status := e.ready(0); status != http.StatusServiceUnavailable {
				return fmt.Sprint(status)
			}
			return ""
		})
		if status := e.ready(1); status != http.StatusOK {
			t.Errorf("/readyz of the other node returns %d, want 200", status)
		}
		for _, path := range []string{"/healthz", "/config"} {
			l.send(path, 0, nil, http.MethodGet, path, nil)
		}
		<-time.After(time.Until(from.Add(interruption)))
		to = time.Now()
		method.restore(n)
	}, append(l.workers(), l.readers()...)...)
	e.checkRecovery(t, before, 1, to)
	return from, to
}
