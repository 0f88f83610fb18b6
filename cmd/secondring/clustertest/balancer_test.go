package clustertest_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"secondring/cmd/secondring/nodetest"
)

// askEvery is how often a balancer asks a node whether it is ready.
const askEvery = 100 * time.Millisecond

// balancer distributes calls and sockets over ready nodes, over connections that it
// keeps. A call that could not connect is sent to the next node; nothing else is
// repeated.
type balancer struct {
	url   string
	turn  atomic.Int64
	lines http.Transport

	mu    sync.Mutex
	ready []string
}

func startBalancer(t *testing.T, nodes ...*process) *balancer {
	t.Helper()
	b := &balancer{lines: http.Transport{MaxIdleConnsPerHost: 64}}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var asking sync.WaitGroup
	for _, n := range nodes { // separately, so that a slow node does not delay the others
		b.ask(ctx, n.URL)
		asking.Go(func() {
			again := time.NewTicker(askEvery)
			defer again.Stop()
			for ctx.Err() == nil {
				select {
				case <-again.C:
					b.ask(ctx, n.URL)
				case <-ctx.Done():
				}
			}
		})
	}
	server := httptest.NewServer(&httputil.ReverseProxy{
		Transport: b, FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) { r.SetXForwarded() },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			w.WriteHeader(http.StatusBadGateway)
		},
	})
	b.url = server.URL
	t.Cleanup(func() {
		stop()
		asking.Wait()
		server.CloseClientConnections()
		server.Close()
		b.lines.CloseIdleConnections()
	})
	return b
}

func (b *balancer) ask(ctx context.Context, node string) {
	is := nodetest.Ready(ctx, node)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ready = slices.DeleteFunc(b.ready, func(other string) bool { return other == node })
	if is {
		b.ready = append(b.ready, node)
	}
}

// candidates returns the ready nodes, starting with the next in turn.
func (b *balancer) candidates() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.ready) == 0 {
		return nil
	}
	at := int(b.turn.Add(1)) % len(b.ready)
	return append(append([]string{}, b.ready[at:]...), b.ready[:at]...)
}

// has tells whether the balancer has that many ready nodes.
func (b *balancer) has(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.ready) == n
}

var errNobody = errors.New("no node is ready")

// RoundTrip makes a call at the first node that can be reached.
func (b *balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	err := errNobody
	for _, node := range b.candidates() {
		to, wrong := url.Parse(node)
		if wrong != nil {
			return nil, wrong
		}
		onward := r.Clone(r.Context())
		onward.URL.Scheme, onward.URL.Host = to.Scheme, to.Host
		onward.Body = io.NopCloser(bytes.NewReader(body))
		var answer *http.Response
		if answer, err = b.lines.RoundTrip(onward); err == nil {
			return answer, nil
		}
		var dial *net.OpError
		if !errors.As(err, &dial) || dial.Op != "dial" {
			return nil, err
		}
	}
	return nil, err
}
