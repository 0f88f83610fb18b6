package server

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/go-chi/httprate"
	"github.com/prometheus/client_golang/prometheus"

	"secondring/api"
	"secondring/api/openapi"
	"secondring/api/rest"
	"secondring/api/site"
	"secondring/market"
)

// Config is what the server is made of. Market, Positions, Bearer and Cookie are
// required; what else is left out is not served.
type Config struct {
	api.Config

	// Bearer returns the owner of an access token, and its end. CodeNoToken for a bad
	// one.
	Bearer func(ctx context.Context, token string) (market.Actor, time.Time, error)
	// Cookie returns the owner of the request's session cookie. CodeNoToken without.
	Cookie func(ctx context.Context, r *http.Request) (rest.SignedIn, error)

	// HasSession tells whether a request has a session cookie, without looking it up. nil
	// treats every request as having one.
	HasSession func(r *http.Request) bool

	Routes []rest.Route            // the calls of identity, images, payment
	Live   http.Handler            // GET /live; it checks credentials itself
	Client fs.FS                   // the built client: index.html, assets/, files of the root
	Photos fs.FS                   // served under /photos/
	Mounts map[string]http.Handler // further handlers by the path they are under; they see the whole path

	Settings       site.Settings
	PublicURL      string         // the origin at which browsers reach the server
	AllowedOrigins []string       // further origins
	TrustedProxies []netip.Prefix // whose X-Forwarded-For is used
	// RateCounter counts calls across nodes; nil counts in this process.
	RateCounter httprate.LimitCounter

	Ready             func(ctx context.Context) error // nil is always ready
	Registry          *prometheus.Registry            // takes the api's metrics; nil makes one
	MetricsOnLoopback bool                            // serve GET /metrics, to loopback callers
	Log               *slog.Logger
	Version           string
}

// server holds the Config and the middleware's state.
type server struct {
	Config
	origins []string // PublicURL's and AllowedOrigins
	// neighbours are those of AllowedOrigins on the same site as PublicURL.
	neighbours []string
	https      bool
	// loopback says that PUBLIC_URL is this machine.
	loopback bool
	limiter  *httprate.RateLimiter
	pages    *httprate.RateLimiter // of phones' pages; nil when limiter is
	failed   *failures             // bad credentials; nil when limiter is
	metrics  *metrics
	site     *site.Site
	calls    []rest.Route
	ids      *requestIDs
	// concurrency has the bounds of the groups of calls, by the calls' tag.
	concurrency map[string]*concurrency
	// handshakes logs those that GET /live refuses.
	handshakes *handshakes
	// untrusted warns once of an X-Forwarded-For from an address that is not trusted.
	untrusted sync.Once
}

// New makes the server's handler. Its errors: two routes with the same path or id, a client
// that cannot be read.
func New(c Config) (http.Handler, error) {
	s := &server{Config: c, origins: c.AllowedOrigins, ids: newRequestIDs(), concurrency: map[string]*concurrency{}}
	if s.HasSession == nil {
		s.HasSession = func(*http.Request) bool { return true }
	}
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	s.handshakes = newHandshakes(s.Log)
	if public, err := url.Parse(c.PublicURL); err == nil && public.Host != "" {
		s.https, s.loopback = public.Scheme == "https", isThisMachine(public.Hostname())
		s.neighbours = neighboursOf(public, c.AllowedOrigins)
		s.origins = append([]string{public.Scheme + "://" + public.Host}, s.origins...)
	}
	if c.RateLimit > 0 {
		s.limiter = newLimiter(c.RateLimit, c.RateCounter, s.fail)
		s.pages, s.failed = newPageLimiter(c.RateLimit), newFailures(c.RateLimit)
	}
	if s.Registry == nil {
		s.Registry = prometheus.NewRegistry()
	}
	var err error
	if s.metrics, err = newMetrics(s.Registry); err != nil {
		return nil, err
	}
	if s.calls, err = Routes(s.Config); err != nil {
		return nil, err
	}
	s.site, err = site.New(site.Config{
		Client: c.Client, Photos: c.Photos, Market: c.Market, Settings: c.Settings, PublicURL: s.origin(),
		HasSession: s.HasSession, OverLimit: s.tooManyPages, Missing: s.notFound, Fail: s.fail, Log: s.Log,
	})
	if err != nil {
		return nil, err
	}
	return s.router()
}

// origin is PublicURL as an origin; "" where there is none.
func (s *server) origin() string {
	if s.PublicURL == "" || len(s.origins) == 0 {
		return ""
	}
	return s.origins[0]
}

// Routes returns all calls that are served: the market's, those of the other rooms, and
// those that describe the server and its calls.
func Routes(c Config) ([]rest.Route, error) {
	own, err := api.Routes(c.Config)
	calls := slices.Concat(c.Routes, own, site.Routes(c.Settings), operations(c))
	return append(calls, openapi.Routes(calls)...), err
}
