// Package stripetest holds what is sent to Stripe against Stripe's own
// description of its API: each request is shown to stripe-mock, a server that
// Stripe makes for tests, which knows every call and parameter but keeps no
// state.
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

// version is the one that the Makefile installs.
const version = "v0.203.0"

// Mock is stripe-mock, running.
type Mock struct {
	url   string
	input io.Closer // kept: the server ends when this is closed, or collected
}

// Start returns the stripe-mock of this test process, and starts it first where
// it is not running yet. It ends with the process.
var Start = sync.OnceValues(func() (*Mock, error) {
	path, err := find()
	if err != nil {
		return nil, err
	}
	// The shell ends the server when its own input ends: with this process, even if it
	// is killed.
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
			go func() { _, _ = io.Copy(io.Discard, out) }() // it may go on talking
			return &Mock{"http://" + address, input}, nil
		}
	}
	return nil, fmt.Errorf("%s ended before it listened: %w", path, lines.Err())
})

// find looks where make has put it.
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
		return "", fmt.Errorf("stripe-mock is not there: run the tests by make, which builds it (%w)", err)
	}
	return path, nil
}

// Refusal is what the mock has against a request, nil if nothing. The request's
// body is left to be read again.
func (m *Mock) Refusal(r *http.Request, prefix string) error {
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
	answer, err := http.DefaultTransport.RoundTrip(copied)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	said, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode/100 != 2 {
		err = fmt.Errorf("%s %s: %s: %s", r.Method, r.URL.Path, answer.Status, said)
	}
	return err
}

// Checks is a transport that shows each request to the mock before it sends it
// on, and fails the test for each that the mock refuses.
type Checks struct {
	tb     testing.TB
	prefix string
	next   http.RoundTripper

	mu    sync.Mutex
	shown map[string]int
}

// Checking puts the checks before a transport. The prefix is what the paths of
// that one begin with, before Stripe's own. The mock is started for the first
// request.
func Checking(tb testing.TB, prefix string, next http.RoundTripper) *Checks {
	return &Checks{tb: tb, prefix: prefix, next: next, shown: map[string]int{}}
}

// RoundTrip implements http.RoundTripper.
func (c *Checks) RoundTrip(r *http.Request) (*http.Response, error) {
	mock, err := Start()
	if err == nil {
		err = mock.Refusal(r, c.prefix)
	}
	if err != nil && r.Context().Err() == nil {
		c.tb.Errorf("stripe-mock does not take a request: %v", err)
	}
	c.mu.Lock()
	c.shown[r.Method+" "+strings.TrimPrefix(r.URL.Path, c.prefix)]++
	c.mu.Unlock()
	return c.next.RoundTrip(r)
}

// Shown tells how often a request of this method and path was shown.
func (c *Checks) Shown(call string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shown[call]
}
