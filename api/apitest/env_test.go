// Package apitest_test tests the API over HTTP with the real store, identity provider
// and broker. Each resource has a file, and helpers are in the files *_env_test.go. The name
// of a subtest begins with the expected status.
package apitest_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"secondring/api/cache"
	"secondring/api/identity"
	"secondring/api/images"
	"secondring/api/rest"
	"secondring/api/server"
	"secondring/api/site"
	"secondring/hub"
	"secondring/market"
	"secondring/market/markettest"
	stripesandbox "secondring/sandbox/stripe"
	"secondring/store/sqlite/sqlitetest"
)

// logBuffer is a log that tests can read.
type logBuffer struct {
	mu    sync.Mutex
	lines bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.String()
}

// env is a server that is connected as in cmd/secondring, but with a clock that tests move.
type env struct {
	t          testing.TB
	clock      *markettest.Clock
	images     *images.Host
	pictures   string // the folder of the image host
	engine     market.Store
	store      market.Store // the engine with hooks
	versions   *cache.Versions
	market     *market.Market
	janitor    *market.Runner
	relay      *market.Relay
	stripe     *stripeEnv
	reconciler *market.Runner
	config     server.Config
	server     *httptest.Server
	log        *logBuffer
	accounts   int // the number of accounts that method account has added
}

// testSecret is the TOKEN_SECRET of every env.
var testSecret = bytes.Repeat([]byte("s"), identity.MinSecret)

// setup has the options of an env.
type setup struct {
	rules  market.Rules
	config server.Config
	engine func(t testing.TB) market.Store // nil for SQLite
}

var clientFiles = fstest.MapFS{
	"index.html":       {Data: []byte("<!doctype html><head><title>SecondRing</title></head>" + string(bytes.Repeat([]byte("<p>phones"), 300)))},
	"favicon.svg":      {Data: []byte("<svg/>")},
	"assets/app-1a.js": {Data: bytes.Repeat([]byte("phone();"), 500)},
}

func newEnv(tb testing.TB, change ...func(*setup)) *env {
	tb.Helper()
	e := &env{t: tb, clock: markettest.NewTicking(time.Now().UTC().Truncate(time.Second)), log: &logBuffer{}}
	log := slog.New(slog.NewJSONHandler(e.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	mux := http.NewServeMux()
	e.server = httptest.NewUnstartedServer(mux)
	e.server.Listener = server.LimitConnections(e.server.Listener, e.server.Config, 0)
	e.server.Start()
	tb.Cleanup(e.server.Close)
	s := setup{
		rules: market.Rules{
			BookingHold: time.Hour, OfferHold: 12 * time.Hour, MaxHolds: 5, SendWithin: 120 * time.Hour, Transit: 168 * time.Hour, Payouts: market.PayoutsManual, Commission: 5,
			Advertise: market.AdvertiseVerified,
		},
		config: server.Config{
			Client:            clientFiles,
			Photos:            fstest.MapFS{"one-0123456789.jpg": {Data: []byte("\xff\xd8\xff photo")}, "one-0123456789-320.webp": {Data: []byte("RIFF")}, "one-0123456789.svg": {Data: []byte("<svg/>")}, "CREDITS.txt": {Data: []byte("by")}},
			PublicURL:         e.server.URL,
			MetricsOnLoopback: true,
			Log:               log,
			Version:           "test",
			Settings: site.Settings{
				Product: "SecondRing", Advertise: market.AdvertiseVerified, SellerContact: market.ContactShown, Payouts: market.PayoutsManual,
				Stripe: site.Stripe{PublishableKey: stripePublishableKey, Sandbox: true},
			},
		},
	}
	for _, apply := range change {
		apply(&s)
	}
	e.openStore(s, log)
	e.connectServices(s.config, log)
	handler, err := server.New(e.config)
	must(tb, err)
	mux.Handle("/", handler)
	return e
}

// connectServices connects identity, images, payments, the broker and the hub.
func (e *env) connectServices(config server.Config, log *slog.Logger) {
	tb := e.t
	tb.Helper()
	e.config = config
	e.config.Market, e.config.Secret = e.market, testSecret
	broker := hub.NewMemoryBroker(hub.HistoryLimits{})
	tb.Cleanup(func() { must(tb, broker.Close()) })
	e.relay = market.NewRelay(e.market, publisher{broker, e.versions})
	e.config.Positions = broker
	publicURL, err := url.Parse(e.server.URL)
	must(tb, err)
	identities, err := identity.New(identity.Config{
		Product: "SecondRing",
		Store:   e.store, Market: e.market, Clock: e.clock, Secret: testSecret,
		PublicURL: publicURL, Log: log, Versions: e.versions,
	})
	must(tb, err)
	e.config.Versions = e.versions
	e.config.Bearer, e.config.Cookie, e.config.HasSession = identities.Bearer, identities.Cookie, identities.HasSession
	e.pictures = tb.TempDir()
	bucket, err := images.OpenFolder(e.pictures)
	must(tb, err)
	tb.Cleanup(func() { must(tb, bucket.Close()) })
	e.images = images.New(images.Config{
		Bucket: bucket, Records: e.store, Market: e.market, Shows: e.store.ShowsPicture, Origin: e.server.URL, Clock: e.clock, Log: log,
	})
	e.market.UsePictures(e.images)
	e.market.UseEvidencePictures(e.images)
	e.market.UseTakedowns(e.images)
	e.market.UseCaseKey(testSecret)
	e.config.Live = e.newHub(broker, identities)
	e.config.Routes = slices.Concat(e.config.Routes, identities.Routes(), e.images.Routes(), e.stripe.routes(e, log))
	if config.Settings.Stripe.Sandbox {
		e.config.Mounts = map[string]http.Handler{stripesandbox.Path: e.stripe.sandbox}
	}
}

// openStore opens the store and what needs only the store.
func (e *env) openStore(s setup, log *slog.Logger) {
	e.t.Helper()
	e.versions = cache.NewVersions()
	if s.engine == nil {
		s.engine = openSQLite
	}
	e.engine = s.engine(e.t)
	e.store = e.engine.Hooked(e.versions.StoreHook)
	e.t.Cleanup(func() { must(e.t, e.store.Close()) })
	e.stripe = newStripeEnv(e, log)
	e.market = market.New(e.store, e.clock, s.rules, e.stripe.gateway)
	e.market.UsePayouts(e.stripe.gateway)
	e.janitor = markettest.Runner(e.clock, e.market.AddTransitions, e.market.AddPurges)
	e.reconciler = markettest.Runner(e.clock, e.market.AddPaymentChecks)
}

// publisher invalidates the caches before events go out.
type publisher struct {
	market.Publisher
	versions *cache.Versions
}

func (p publisher) Publish(ctx context.Context, events []market.Event) error {
	p.versions.Published(events)
	return p.Publisher.Publish(ctx, events)
}

// openSQLite opens a SQLite store.
func openSQLite(tb testing.TB) market.Store {
	tb.Helper()
	engine, err := sqlitetest.Open(tb.Context(), filepath.Join(tb.TempDir(), "store.db"))
	must(tb, err)
	return engine
}

// newHub starts the server's WebSocket hub.
func (e *env) newHub(broker *hub.MemoryBroker, identities *identity.Service) http.Handler {
	e.t.Helper()
	live, err := hub.New(hub.Config{
		Broker: broker,
		Authenticate: func(ctx context.Context, token string) (hub.Viewer, error) {
			actor, until, err := identities.Bearer(ctx, token)
			return hub.Viewer{
				UID: actor.User.UID, Session: actor.Session, Expires: until, CredentialsVersion: actor.CredentialsVersion,
			}, err
		},
		Authorize: func(ctx context.Context, v hub.Viewer, topic string) (string, bool, error) {
			return e.market.Topic(ctx, v.UID, topic)
		},
		CheckSession: func(ctx context.Context, v hub.Viewer) (bool, error) {
			return e.market.MayStay(ctx, v.UID, v.Session)
		},
		AllowedOrigins: hub.Origins(e.server.URL),
		Logger:         slog.New(slog.DiscardHandler),
	})
	must(e.t, err)
	must(e.t, live.Run(e.t.Context()))
	e.t.Cleanup(func() { must(e.t, live.Close(context.WithoutCancel(e.t.Context()))) })
	return live
}

// runDueWork runs the background work that is due.
func (e *env) runDueWork() {
	e.t.Helper()
	must(e.t, e.stripe.sandbox.Step(e.t.Context()))
	must(e.t, e.janitor.Step(e.t.Context()))
	must(e.t, e.reconciler.Step(e.t.Context()))
	must(e.t, markettest.Runner(e.clock, e.market.AddAnnouncements, e.market.AddWatcherCounts, e.market.AddConversations).Step(e.t.Context()))
	must(e.t, e.relay.Flush(e.t.Context()))
}

// brand adds a brand and returns it.
func (e *env) brand(name string) market.Brand {
	e.t.Helper()
	b, err := e.market.AddBrand(e.t.Context(), name, "/brands/"+name+".svg")
	must(e.t, err)
	return b
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

var errUnavailable = errors.New("the store is unavailable")

// alwaysUnavailable is a readiness check that fails.
func alwaysUnavailable(context.Context) error { return errUnavailable }

func readAll(tb testing.TB, from io.ReadCloser) []byte {
	tb.Helper()
	body, err := io.ReadAll(from)
	must(tb, err)
	must(tb, from.Close())
	return body
}

// routes returns all routes of the server.
func (e *env) routes() []rest.Route {
	e.t.Helper()
	routes, err := server.Routes(e.config)
	must(e.t, err)
	return routes
}
