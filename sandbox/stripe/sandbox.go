package stripe

import (
	"log/slog"
	"net/http"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

const (
	// Path is where the sandbox is mounted. Stripe's calls are below Path+"/v1",
	// the browser's script is Path+"/v3.js".
	Path = "/sandbox/stripe"
	// webhookPath is the path at which the product receives events.
	webhookPath = "/stripe/webhook"
	// maxBody is the maximum length of a request's body, in bytes.
	maxBody = 128 << 10
	// maxUpload is the same for the upload of a file.
	maxUpload = 5 << 20
)

// Config is the configuration of a Sandbox. Keys returns keys for it.
type Config struct {
	Records        market.DocumentStore // stores all state
	Clock          market.Clock
	SecretKey      string       // permits all calls
	PublishableKey string       // permits the payment of an intent, with the intent's client secret
	WebhookSecret  string       // signs events
	Webhook        http.Handler // receives the events; if nil, there are no events
	Log            *slog.Logger
}

// Sandbox is the server. It is safe for concurrent use. Several processes may use
// the same store.
type Sandbox struct {
	config Config
	mux    *http.ServeMux
}

// New returns a sandbox.
func New(c Config) *Sandbox {
	s := &Sandbox{config: c}
	s.mux = s.routes()
	return s
}

// Client returns an HTTP client whose requests reach the sandbox inside the
// process, so that the product's own server needs neither an address nor a port for
// it.
func (s *Sandbox) Client() *http.Client { return rest.InProcess(s) }

// ServeHTTP implements http.Handler. It expects whole paths: mount it at Path without stripping
// the prefix.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	most := int64(maxBody)
	if r.URL.Path == Path+"/v1/files" {
		most = maxUpload
	}
	r.Body = http.MaxBytesReader(w, r.Body, most)
	s.mux.ServeHTTP(w, r)
}

func (s *Sandbox) now() time.Time { return s.config.Clock.Now() }
