package stripe

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"secondring/api/rest"
	"secondring/market"
)

const (
	// Path is where the sandbox is mounted. Stripe's calls are below Path+"/v1",
	// the browser's script is Path+"/v3.js".
	Path = "/sandbox/stripe"
	// WebhookPath is the path at which the product receives events.
	WebhookPath = "/stripe/webhook"
	// maxBody is the maximum length of a request's body, in bytes.
	maxBody = 64 << 10
)

// Config is the configuration of a Sandbox.
type Config struct {
	Records        market.DocumentStore // stores all state
	Clock          market.Clock
	SecretKey      string       // sk_test_…: permits all calls
	PublishableKey string       // pk_test_…: permits the payment of an intent, with the intent's client secret
	WebhookSecret  string       // whsec_…: signs events
	Webhook        http.Handler // receives the events, at WebhookPath; if nil, there are no events
	Log            *slog.Logger
}

// Sandbox is the server. It is safe for concurrent use. Several processes may use
// the same store.
type Sandbox struct {
	config  Config
	router  http.Handler
	wake    chan struct{} // receives a value when an event is pending
	running sync.Map      // the idempotency keys whose requests this process is handling
}

// New returns a sandbox. It returns an error if a dependency is missing, or a key is not one
// for tests.
func New(c Config) (*Sandbox, error) {
	if c.Records == nil || c.Clock == nil || c.Log == nil {
		return nil, errors.New("sandbox: the store, the clock and the log are needed")
	}
	for _, key := range []struct{ name, value, prefix string }{
		{"secret key", c.SecretKey, secretPrefix},
		{"publishable key", c.PublishableKey, publishablePrefix},
		{"webhook secret", c.WebhookSecret, webhookPrefix},
	} {
		if !strings.HasPrefix(key.value, key.prefix) || key.value == key.prefix {
			return nil, fmt.Errorf("sandbox: the %s must begin with %s", key.name, key.prefix)
		}
	}
	s := &Sandbox{config: c, wake: make(chan struct{}, 1)}
	s.router = s.routes()
	return s, nil
}

// Client returns an HTTP client whose requests reach the sandbox inside the
// process, so that the product's own server needs neither an address nor a port for
// it.
func (s *Sandbox) Client() *http.Client { return rest.InProcess(s) }

// ServeHTTP implements http.Handler. It expects whole paths: mount it at Path without stripping
// the prefix.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// A chi router continues with the route in the context, which here is that of the outer
	// router. This one must begin at the whole path.
	r = r.WithContext(context.WithValue(r.Context(), chi.RouteCtxKey, nil))
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	s.router.ServeHTTP(w, r)
}
