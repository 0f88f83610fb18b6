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

// Config is the configuration of the server. Market, Positions, Bearer and Cookie are
// required; other parts are not served if they are empty.
type Config struct {
	api.Config

	// Bearer returns the owner of an access token, and when the token ends. It returns
	// CodeNoToken for an invalid one.
	Bearer func(ctx context.Context, token string) (market.Actor, time.Time, error)
	// Cookie returns the owner of the request's session cookie. It returns CodeNoToken if
	// there is none.
	Cookie func(ctx context.Context, r *http.Request) (rest.SignedIn, error)

	// HasSession returns whether a request has a session cookie, without looking it up. If
	// it is nil, every request counts as having one.
	HasSession func(r *http.Request) bool

	Routes []rest.Route            // the routes of identity, images and payment
	Live   http.Handler            // GET /live; it checks credentials itself
	Client fs.FS                   // the built client: index.html, assets/, files of the root
	Photos fs.FS                   // served under /photos/
	Mounts map[string]http.Handler // further handlers by their path prefix; they get the whole path

	Settings       site.Settings
	PublicURL      string         // the origin at which browsers reach the server
	AllowedOrigins []string       // further origins
	TrustedProxies []netip.Prefix // proxies whose X-Forwarded-For is used
	// RateCounter counts calls across nodes; nil counts in this process.
	RateCounter httprate.LimitCounter

	Ready             func(ctx context.Context) error // nil means always ready
	Registry          *prometheus.Registry            // registers the server's metrics; nil for a new one
	MetricsOnLoopback bool                            // serve GET /metrics, to loopback callers
	Log               *slog.Logger
	Version           string
}

// server has the Config and the middleware's state.
type server struct {
	Config
	origins []string // the origins of PublicURL and AllowedOrigins
	// neighbours are those of AllowedOrigins on the same site as PublicURL.
	neighbours []string
	https      bool
	// loopback is true if PUBLIC_URL is this machine.
	loopback          bool
	limiter           *httprate.RateLimiter
	providerLimiter   *httprate.RateLimiter // of calls that reach the card provider; nil if limiter is
	pageLimiter       *httprate.RateLimiter // of phones' pages; nil if limiter is
	credentialLimiter *credentialLimiter    // of invalid credentials; nil if limiter is
	metrics           *metrics
	site              *site.Site
	routes            []rest.Route
	ids               *requestIDs
	// fails has the functions that send the errors of routes, by the routes' patterns.
	fails map[string]func(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error)
	// concurrency has the limits of the groups of calls, by the calls' tag.
	concurrency map[string]*concurrency
	// handshakes logs the handshakes that GET /live refuses.
	handshakes *handshakes
	// untrusted logs one warning of an X-Forwarded-For from an address that is not trusted.
	untrusted sync.Once
}

// New returns the server's handler. It returns an error if two routes have the same path or
// ID, or the client cannot be read.
func New(c Config) (http.Handler, error) {
	s := &server{Config: c, origins: c.AllowedOrigins, ids: newRequestIDs(), concurrency: map[string]*concurrency{}}
	s.fails = map[string]func(http.ResponseWriter, *http.Request, *slog.Logger, error){}
	if s.HasSession == nil {
		s.HasSession = func(*http.Request) bool { return true }
	}
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	s.handshakes = newHandshakes(s.Log)
	s.readPublicURL()
	if c.RateLimit > 0 {
		s.limitRates()
	}
	if s.Registry == nil {
		s.Registry = prometheus.NewRegistry()
	}
	var err error
	if s.metrics, err = newMetrics(s.Registry); err != nil {
		return nil, err
	}
	if s.routes, err = Routes(s.Config); err != nil {
		return nil, err
	}
	s.site, err = site.New(site.Config{
		Client: c.Client, Photos: c.Photos, Market: c.Market, Settings: c.Settings, PublicURL: s.origin(),
		HasSession: s.HasSession, OverLimit: s.overPageLimit, Missing: s.notFound, Fail: s.fail, Log: s.Log,
	})
	if err != nil {
		return nil, err
	}
	return s.router()
}

// readPublicURL sets what follows from PublicURL; nothing if it is not a URL with a host.
func (s *server) readPublicURL() {
	public, err := url.Parse(s.PublicURL)
	if err != nil || public.Host == "" {
		return
	}
	s.https, s.loopback = public.Scheme == "https", isThisMachine(public.Hostname())
	s.neighbours = neighboursOf(public, s.AllowedOrigins)
	s.origins = append([]string{public.Scheme + "://" + public.Host}, s.origins...)
}

// limitRates sets the limiters. Without it there are no rate limits.
func (s *server) limitRates() {
	s.limiter = newLimiter(s.RateLimit, time.Second, s.RateCounter, errTooFast, s.fail)
	// The counter of changes also has windows of a minute.
	s.providerLimiter = newLimiter(providerCallsPerMinute, time.Minute, s.ChangeCounter, errTooManyProviderCalls, s.fail)
	// Pages and credentials are counted in this process, because their limits protect this process.
	s.pageLimiter = httprate.NewRateLimiter(s.RateLimit, time.Second, httprate.WithResponseHeaders(httprate.ResponseHeaders{}))
	s.credentialLimiter = newCredentialLimiter(s.RateLimit)
}

// origin returns PublicURL as an origin; "" if there is none.
func (s *server) origin() string {
	if s.PublicURL == "" || len(s.origins) == 0 {
		return ""
	}
	return s.origins[0]
}

// ownPage returns the path of the page of PUBLIC_URL that made a call; "" for any other page. Pages send
// it to their own origin: see Referrer-Policy in rest.SetPageHeaders.
func (s *server) ownPage(r *http.Request) string {
	page, err := url.Parse(r.Header.Get("Referer"))
	if err != nil || page.Scheme+"://"+page.Host != s.origin() {
		return ""
	}
	return page.Path
}

// Routes returns all routes: the market's, those in Config, and those that describe the
// server and its calls.
func Routes(c Config) ([]rest.Route, error) {
	own, err := api.Routes(c.Config)
	routes := slices.Concat(c.Routes, own, site.Routes(c.Settings), operations(c))
	return append(routes, openapi.Routes(routes)...), err
}
