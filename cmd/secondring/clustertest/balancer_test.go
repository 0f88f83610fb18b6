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

// healthCheckInterval is how often a balancer checks whether a node is ready.
const healthCheckInterval = 100 * time.Millisecond

// balancer distributes calls and sockets over ready nodes. A call that could not connect is
// sent to the next node. Nothing else is repeated.
type balancer struct {
	url       string
	next      atomic.Int64
	transport http.Transport

	mu    sync.Mutex
	ready []string
}

func startBalancer(t *testing.T, nodes ...*process) *balancer {
	t.Helper()
	b := &balancer{transport: http.Transport{MaxIdleConnsPerHost: 64}}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var checks sync.WaitGroup
	for _, n := range nodes { // in goroutines, so that a slow node does not delay the others
		b.checkHealth(ctx, n.URL)
		checks.Go(func() {
			ticker := time.NewTicker(healthCheckInterval)
			defer ticker.Stop()
			for ctx.Err() == nil {
				select {
				case <-ticker.C:
					b.checkHealth(ctx, n.URL)
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
		checks.Wait()
		server.CloseClientConnections()
		server.Close()
		b.transport.CloseIdleConnections()
	})
	return b
}

func (b *balancer) checkHealth(ctx context.Context, node string) {
	ready := nodetest.Ready(ctx, node)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ready = slices.DeleteFunc(b.ready, func(other string) bool { return other == node })
	if ready {
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
	at := int(b.next.Add(1)) % len(b.ready)
	return append(append([]string{}, b.ready[at:]...), b.ready[:at]...)
}

// has tells whether exactly n nodes are ready.
func (b *balancer) has(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.ready) == n
}

var errNoReadyNode = errors.New("no node is ready")

// RoundTrip sends a call to the first node that can be reached.
func (b *balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	err := errNoReadyNode
	for _, node := range b.candidates() {
		to, parseErr := url.Parse(node)
		if parseErr != nil {
			return nil, parseErr
		}
		onward := r.Clone(r.Context())
		onward.URL.Scheme, onward.URL.Host = to.Scheme, to.Host
		onward.Body = io.NopCloser(bytes.NewReader(body))
		var answer *http.Response
		if answer, err = b.transport.RoundTrip(onward); err == nil {
			return answer, nil
		}
		var dial *net.OpError
		if !errors.As(err, &dial) || dial.Op != "dial" {
			return nil, err
		}
	}
	return nil, err
}
