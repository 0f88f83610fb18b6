// Package stripetest checks requests to Stripe against Stripe's own description of its API.
// It sends each request to stripe-mock, Stripe's server for tests. That knows all calls and
// parameters but has no state.
package stripetest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// version is the version that the Makefile installs.
const version = "v0.203.0"

// Mock is a running stripe-mock.
type Mock struct {
	url   string
	input io.Closer // the server ends when this is closed or garbage collected
}

// Start returns the stripe-mock of this test process. The first call starts it. It ends
// with the process.
var Start = sync.OnceValues(func() (*Mock, error) {
	path, err := find()
	if err != nil {
		return nil, err
	}
	// The shell ends the server when its own input ends: with this process, even if that is
	// killed.
	server := exec.Command("sh", "-c", `"$0" "$@" & mock=$!; cat >/dev/null; kill $mock`,
		path, "-http-addr", "127.0.0.1:0", "-https-addr", "127.0.0.1:0")
	server.Stderr = os.Stderr
	input, err := server.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := server.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := server.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "Listening for HTTP at address: "); ok {
			go func() { _, _ = io.Copy(io.Discard, out) }() // reads later output
			return &Mock{"http://" + address, input}, nil
		}
	}
	return nil, fmt.Errorf("%s ended before it listened: %w", path, lines.Err())
})

// find returns the path at which make has installed it.
func find() (string, error) {
	path := os.Getenv("STRIPE_MOCK")
	if path == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		path = filepath.Join(cache, "secondring", "stripe-mock-"+version, "stripe-mock")
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("stripe-mock is not installed: run the tests by make, which builds it (%w)", err)
	}
	return path, nil
}

// Validate returns the mock's error for a request; nil if the request is valid. The request's
// body can be read again afterwards.
func (m *Mock) Validate(r *http.Request, prefix string) error {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return err
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	copied, err := http.NewRequestWithContext(r.Context(), r.Method, m.url+strings.TrimPrefix(r.URL.RequestURI(), prefix), bytes.NewReader(body))
	if err != nil {
		return err
	}
	copied.Header = r.Header.Clone()
	response, err := http.DefaultTransport.RoundTrip(copied)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	message, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode/100 != 2 {
		err = fmt.Errorf("%s %s: %s: %s", r.Method, r.URL.Path, response.Status, message)
	}
	return err
}

// Transport sends each request to the mock before it sends it to the next transport. It fails
// the test if the mock refuses the request.
type Transport struct {
	tb     testing.TB
	prefix string
	next   http.RoundTripper

	mu      sync.Mutex
	checked map[string]int // the number of requests by method and path
}

// NewTransport returns a transport that checks requests before it sends them to next. prefix
// precedes Stripe's own paths there. The first request starts the mock.
func NewTransport(tb testing.TB, prefix string, next http.RoundTripper) *Transport {
	return &Transport{tb: tb, prefix: prefix, next: next, checked: map[string]int{}}
}

// RoundTrip implements http.RoundTripper.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	mock, err := Start()
	if err == nil {
		err = mock.Validate(r, t.prefix)
	}
	if err != nil && r.Context().Err() == nil {
		t.tb.Errorf("stripe-mock refuses a request: %v", err)
	}
	t.mu.Lock()
	t.checked[r.Method+" "+strings.TrimPrefix(r.URL.Path, t.prefix)]++
	t.mu.Unlock()
	return t.next.RoundTrip(r)
}

// Checked returns how many requests with this method and path were checked.
func (t *Transport) Checked(call string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.checked[call]
}
