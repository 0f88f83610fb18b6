// Package api is the market over HTTP: one table of calls, the router and the
// OpenAPI document made from it, and what every call goes through on its way.
package api

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"github.com/go-chi/httprate"
	"github.com/prometheus/client_golang/prometheus"

	"secondring/api/cache"
	"secondring/api/rest"
	"secondring/market"
)

// Config is what the api is made of. Market, Positions, Bearer and Cookie are
// required; what else is left out is not served.
type Config struct {
	Market    *market.Market
	Positions market.Positions

	// Bearer tells whose access token it is, and until when. CodeNoToken for a
	// bad one.
	Bearer func(ctx context.Context, token string) (market.Actor, time.Time, error)
	// Cookie tells whose session cookie the call carries. CodeNoToken without.
	Cookie func(ctx context.Context, r *http.Request) (rest.SignedIn, error)
	// Versions counts the changes of the store; then responses are cached. nil where
	// other nodes write to the store.
	Versions *cache.Versions

	// HasSession tells, without looking it up, whether a request brings a session
	// cookie; nil takes every request for one that does.
	HasSession func(r *http.Request) bool

	// Secret is TOKEN_SECRET, from which the seal of cursors is made. nil makes one
	// that only this process knows.
	Secret []byte

	Rooms  []rest.Call             // the calls of identity, images, payment
	Live   http.Handler            // GET /live; it answers credentials itself
	Client fs.FS                   // the built client: index.html, assets/, files of the root
	Photos fs.FS                   // served under /photos/
	Mounts map[string]http.Handler // further handlers by the path they are under; they see the whole path

	Settings       Settings
	PublicURL      string         // an origin: how browsers reach the server
	AllowedOrigins []string       // further origins
	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed
	RateLimit      int            // calls a second per account, or per address; 0 switches it off
	// RateCounter counts them across nodes; nil counts in this process.
	RateCounter httprate.LimitCounter
	// ChangeCounter counts changes of phones across nodes; nil counts in this process.
	ChangeCounter httprate.LimitCounter

	Ready             func(ctx context.Context) error // nil is always ready
	Registry          *prometheus.Registry            // takes the api's metrics; nil makes one
	MetricsOnLoopback bool                            // serve GET /metrics, to loopback callers
	Log               *slog.Logger
	Version           string
}

// api is the Config at work.
type api struct {
	Config
	origins []string // PublicURL's and AllowedOrigins
	// neighbours are those of AllowedOrigins on the same site as PublicURL.
	neighbours []string
	https      bool
	// loopback says that PUBLIC_URL is this machine.
	loopback bool
	limiter  *httprate.RateLimiter
	pages    *httprate.RateLimiter // of phones' pages; nil with limiter
	failed   *failures             // credentials that were nobody's; nil with limiter
	metrics  *metrics
	client   *client
	calls    []rest.Call
	ids      *requestIDs
	// concurrency has the bounds of the groups of calls, by the calls' tag.
	concurrency map[string]*concurrency
	// handshakes logs those that GET /live refuses.
	handshakes *handshakes
	// untrusted warns of the first who names an address and is not believed.
	untrusted sync.Once
}

// New makes the server's handler. It fails for a table of calls that
// contradicts itself and for a client that cannot be read.
func New(c Config) (http.Handler, error) {
	a := &api{Config: c, origins: c.AllowedOrigins, ids: newRequestIDs(), concurrency: map[string]*concurrency{}}
	if a.HasSession == nil {
		a.HasSession = func(*http.Request) bool { return true }
	}
	if a.Log == nil {
		a.Log = slog.New(slog.DiscardHandler)
	}
	a.handshakes = newHandshakes(a.Log)
	if public, err := url.Parse(c.PublicURL); err == nil && public.Host != "" {
		a.https, a.loopback = public.Scheme == "https", isThisMachine(public.Hostname())
		a.neighbours = neighboursOf(public, c.AllowedOrigins)
		a.origins = append([]string{public.Scheme + "://" + public.Host}, a.origins...)
	}
	if c.RateLimit > 0 {
		a.limiter = newLimiter(c.RateLimit, c.RateCounter, a.fail)
		a.pages, a.failed = newPageLimiter(c.RateLimit), newFailures(c.RateLimit)
	}
	if a.Registry == nil {
		a.Registry = prometheus.NewRegistry()
	}
	var err error
	if a.metrics, err = newMetrics(a.Registry); err != nil {
		return nil, err
	}
	if a.client, err = a.readClient(); err != nil {
		return nil, err
	}
	m := newResources(c)
	if m.seal, err = rest.NewSeal(c.Secret); err != nil {
		return nil, err
	}
	a.calls = table(a.Config, m)
	return a.router()
}
