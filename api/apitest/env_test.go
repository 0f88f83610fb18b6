// Package apitest_test drives the api from outside, over HTTP, on the real
// store, identity provider and broker. One file per resource; cases are named
// by status.
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

// logged is a log that tests read.
type logged struct {
	mu    sync.Mutex
	lines bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.String()
}

// env is a server without its main function. It is wired like the product, but with a clock
// that tests move.
type env struct {
	t          testing.TB
	clock      *markettest.Clock
	pictures   *images.Host
	engine     market.Store
	store      market.Store // the engine, watched
	versions   *cache.Versions
	market     *market.Market
	janitor    *market.Janitor
	relay      *market.Relay
	bank       *bank
	reconciler *market.PaymentReconciler
	config     server.Config
	server     *httptest.Server
	log        *logged
	people     int
}

// testSecret is the TOKEN_SECRET of every env.
var testSecret = bytes.Repeat([]byte("s"), identity.MinSecret)

// setup is what a test may change of an env before it starts.
type setup struct {
	rules  market.Rules
	config server.Config
	engine func(t testing.TB) market.Store // nil: the embedded one
}

var clientFiles = fstest.MapFS{
	"index.html":       {Data: []byte("<!doctype html><head><title>SecondRing</title></head>" + string(bytes.Repeat([]byte("<p>phones"), 300)))},
	"favicon.svg":      {Data: []byte("<svg/>")},
	"assets/app-1a.js": {Data: bytes.Repeat([]byte("phone();"), 500)},
}

func newEnv(tb testing.TB, change ...func(*setup)) *env {
	tb.Helper()
	w := &env{t: tb, clock: markettest.NewTicking(time.Now().UTC().Truncate(time.Second)), log: &logged{}}
	log := slog.New(slog.NewJSONHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	mux := http.NewServeMux()
	w.server = httptest.NewUnstartedServer(mux)
	w.server.Listener = server.LimitConnections(w.server.Listener, w.server.Config, 0)
	w.server.Start()
	tb.Cleanup(w.server.Close)
	s := setup{
		rules: market.Rules{BookingHold: 24 * time.Hour, MaxHolds: 20, Advertise: market.AdvertiseVerified},
		config: server.Config{
			Client:            clientFiles,
			Photos:            fstest.MapFS{"one-0123456789.jpg": {Data: []byte("\xff\xd8\xff photo")}, "one-0123456789-320.webp": {Data: []byte("RIFF")}, "one-0123456789.svg": {Data: []byte("<svg/>")}, "CREDITS.txt": {Data: []byte("by")}},
			PublicURL:         w.server.URL,
			MetricsOnLoopback: true,
			Log:               log,
			Version:           "test",
			Settings: site.Settings{
				Product: "SecondRing", Advertise: market.AdvertiseVerified,
				Stripe: site.Stripe{PublishableKey: bankKey, Sandbox: true},
			},
		},
	}
	for _, apply := range change {
		apply(&s)
	}
	w.open(s, log)
	w.wire(s.config, log)
	handler, err := server.New(w.config)
	must(tb, err)
	mux.Handle("/", handler)
	return w
}

// wire connects the packages.
func (w *env) wire(config server.Config, log *slog.Logger) {
	tb := w.t
	tb.Helper()
	w.config = config
	w.config.Market, w.config.Secret = w.market, testSecret
	broker := hub.NewMemoryBroker(hub.HistoryLimits{})
	tb.Cleanup(func() { must(tb, broker.Close()) })
	w.relay = market.NewRelay(w.market, publisher{broker, w.versions}, log)
	w.config.Positions = broker
	public, err := url.Parse(w.server.URL)
	must(tb, err)
	people, err := identity.New(identity.Config{
		Store: w.store, Market: w.market, Clock: w.clock, Secret: testSecret,
		PublicURL: public, Log: log, Versions: w.versions,
	})
	must(tb, err)
	w.config.Versions = w.versions
	w.config.Bearer, w.config.Cookie, w.config.HasSession = people.Bearer, people.Cookie, people.HasSession
	bucket, err := images.OpenFolder(tb.TempDir())
	must(tb, err)
	tb.Cleanup(func() { must(tb, bucket.Close()) })
	w.pictures = images.New(images.Config{
		Bucket: bucket, Records: w.store, Shows: w.store.ShowsPicture, Origin: w.server.URL, Clock: w.clock, Log: log,
	})
	w.market.UsePictures(w.pictures)
	w.config.Live = w.hub(broker, people)
	w.config.Routes = slices.Concat(w.config.Routes, people.Routes(), w.pictures.Routes(), w.bank.calls(w, log))
	if config.Settings.Stripe.Sandbox {
		w.config.Mounts = map[string]http.Handler{stripesandbox.Path: w.bank.box}
	}
}

func (w *env) open(s setup, log *slog.Logger) {
	w.t.Helper()
	w.versions = cache.NewVersions()
	if s.engine == nil {
		s.engine = embedded
	}
	w.engine = s.engine(w.t)
	w.store = market.HookStore(w.engine, w.versions.StoreHook)
	w.t.Cleanup(func() { must(w.t, w.store.Close()) })
	w.bank = newBank(w, log)
	w.market = market.New(w.store, w.clock, s.rules, w.bank.gateway)
	w.janitor, w.reconciler = market.NewJanitor(w.market, log), market.NewPaymentReconciler(w.market, log)
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

// embedded opens the engine of most tests.
func embedded(tb testing.TB) market.Store {
	tb.Helper()
	engine, err := sqlitetest.Open(tb.Context(), filepath.Join(tb.TempDir(), "store.db"))
	must(tb, err)
	return engine
}

// hub returns the server's live hub.
func (w *env) hub(broker *hub.MemoryBroker, people *identity.Service) http.Handler {
	w.t.Helper()
	live, err := hub.New(hub.Config{
		Broker: broker,
		Authenticate: func(ctx context.Context, token string) (hub.Viewer, error) {
			actor, until, err := people.Bearer(ctx, token)
			return hub.Viewer{UID: actor.User.UID, Session: actor.Session, Expires: until}, err
		},
		Authorize: func(ctx context.Context, v hub.Viewer, topic string) (string, bool, error) {
			return w.market.Topic(ctx, v.UID, topic)
		},
		AllowedOrigins: hub.Origins(w.server.URL),
		Logger:         slog.New(slog.DiscardHandler),
	})
	must(w.t, err)
	must(w.t, live.Run(w.t.Context()))
	w.t.Cleanup(func() { must(w.t, live.Close(context.WithoutCancel(w.t.Context()))) })
	return live
}

// settle does what the server's background work would do by now.
func (w *env) settle() {
	w.t.Helper()
	must(w.t, w.bank.box.Step(w.t.Context()))
	must(w.t, w.janitor.Step(w.t.Context()))
	must(w.t, w.reconciler.Step(w.t.Context()))
	must(w.t, w.relay.Flush(w.t.Context()))
}

// brand adds a brand and returns it.
func (w *env) brand(name string) market.Brand {
	w.t.Helper()
	b, err := w.market.AddBrand(w.t.Context(), name, "/brands/"+name+".svg")
	must(w.t, err)
	return b
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

var errAway = errors.New("the engine is away")

// away is a readiness check or a position that fails.
func away(context.Context) error { return errAway }

func readAll(tb testing.TB, from io.ReadCloser) []byte {
	tb.Helper()
	body, err := io.ReadAll(from)
	must(tb, err)
	must(tb, from.Close())
	return body
}

// routes are all calls that the server has.
func (w *env) routes() []rest.Route {
	w.t.Helper()
	calls, err := server.Routes(w.config)
	must(w.t, err)
	return calls
}
